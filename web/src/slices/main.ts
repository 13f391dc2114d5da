// SPDX-License-Identifier: Apache-2.0
/** Reads the data that `fathom slices` wrote into the page and shows it. */
import { mount } from 'svelte';
import type { SlicesData } from '../lib/slices_data';
import '../theme.css';
import SlicesPage from './SlicesPage.svelte';

const place = document.getElementById('report') ?? document.body;
try {
  const data = JSON.parse(document.getElementById('report-data')?.textContent ?? '') as SlicesData;
  if (data.format !== 1) throw new Error(`its data has format ${String(data.format)}, this page reads format 1`);
  document.title = data.title;
  mount(SlicesPage, { target: place, props: { data } });
} catch (error) {
  place.textContent = `This page cannot be shown: ${error instanceof Error ? error.message : String(error)}.`;
  throw error;
}
