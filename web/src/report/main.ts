// SPDX-License-Identifier: Apache-2.0
/** Reads the data that `fathom report` wrote into the page and shows the report. */
import { mount } from 'svelte';
import type { ReportData } from '../lib/data';
import '../theme.css';
import Report from './Report.svelte';

const place = document.getElementById('report') ?? document.body;
try {
  const data = JSON.parse(document.getElementById('report-data')?.textContent ?? '') as ReportData;
  if (data.format !== 1) throw new Error(`its data has format ${String(data.format)}, this page reads format 1`);
  document.title = data.title;
  mount(Report, { target: place, props: { data } });
} catch (error) {
  place.textContent = `This report cannot be shown: ${error instanceof Error ? error.message : String(error)}.`;
  throw error;
}
