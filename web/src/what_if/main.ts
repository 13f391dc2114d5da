// SPDX-License-Identifier: Apache-2.0
/** Reads the data that `fathom simulate` wrote into the page and shows it. */
import { mount } from 'svelte';
import type { WhatIfData } from '../lib/what_if_data';
import '../theme.css';
import WhatIfPage from './WhatIfPage.svelte';

const place = document.getElementById('report') ?? document.body;
try {
  const data = JSON.parse(document.getElementById('report-data')?.textContent ?? '') as WhatIfData;
  if (data.format !== 1) throw new Error(`its data has format ${String(data.format)}, this page reads format 1`);
  document.title = data.title;
  mount(WhatIfPage, { target: place, props: { data } });
} catch (error) {
  place.textContent = `This page cannot be shown: ${error instanceof Error ? error.message : String(error)}.`;
  throw error;
}
