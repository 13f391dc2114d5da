// SPDX-License-Identifier: Apache-2.0
/** Reads the data that the program wrote into the page and shows it. */
import { mount, type Component } from 'svelte';
import './theme';

export function show<Data extends { format: number; title: string }>(page: Component<{ data: Data }>): void {
  const place = document.getElementById('report') ?? document.body;
  try {
    const data = JSON.parse(document.getElementById('report-data')?.textContent ?? '') as Data;
    if (data.format !== 1) throw new Error(`its data has format ${String(data.format)}, this page reads format 1`);
    document.title = data.title;
    mount(page, { target: place, props: { data } });
  } catch (error) {
    place.textContent = `This page cannot be shown: ${error instanceof Error ? error.message : String(error)}.`;
    throw error;
  }
}
