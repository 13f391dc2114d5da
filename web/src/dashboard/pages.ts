// SPDX-License-Identifier: Apache-2.0
/** Every page: its address, its tab, and the piece of the program that draws it. A new page is a folder in pages/ and an entry here. */
import type { Component } from 'svelte';

/** What a page is given; all else is in the query (router.svelte.ts). */
export interface PageProps {
  parts: Record<string, string>; // of the path
}

export interface Page {
  name: string;
  path: string;
  tab: string; // '': has none of its own
  under?: string; // name of the page whose tab it belongs to
  of: 'store' | 'trace' | 'all'; // what has to be chosen
  key?: string; // after g: goes there
  load: () => Promise<{ default: Component<PageProps> }>;
}

export const pages: Page[] = [
  { name: 'home', path: '/', tab: 'Home', of: 'all', key: 'h', load: () => import('./pages/home/HomePage.svelte') },
  { name: 'machine', path: '/stores/:store/machine', tab: 'Machine', of: 'store', key: 'm', load: () => import('./pages/machine/MachinePage.svelte') },
  { name: 'population', path: '/stores/:store/population', tab: 'Population', of: 'store', key: 'p', load: () => import('./pages/population/PopulationPage.svelte') },
  { name: 'jobs', path: '/stores/:store/jobs', tab: 'Jobs', of: 'store', key: 'j', load: () => import('./pages/jobs/JobsPage.svelte') },
  { name: 'job', path: '/stores/:store/jobs/:job', tab: '', under: 'jobs', of: 'store', load: () => import('./pages/job/JobPage.svelte') },
  { name: 'applications', path: '/stores/:store/applications', tab: 'Applications', of: 'store', key: 'a', load: () => import('./pages/applications/ApplicationsPage.svelte') },
  { name: 'application', path: '/stores/:store/applications/detail', tab: '', under: 'applications', of: 'store', load: () => import('./pages/application/OneApplicationPage.svelte') },
  { name: 'advice', path: '/stores/:store/advice', tab: 'Advice', of: 'store', key: 'd', load: () => import('./pages/advice/AdvicePage.svelte') },
  { name: 'trace', path: '/traces/:trace', tab: 'Trace', of: 'trace', key: 't', load: () => import('./pages/trace/TracePage.svelte') },
  { name: 'compete', path: '/compete', tab: 'Compete', of: 'all', key: 'c', load: () => import('./pages/compete/CompetePage.svelte') },
  { name: 'what-if', path: '/what-if', tab: 'What-if', of: 'all', key: 'w', load: () => import('./pages/what_if/WhatIfListPage.svelte') },
  { name: 'simulation', path: '/what-if/:simulation', tab: '', under: 'what-if', of: 'all', load: () => import('./pages/what_if/SimulationPage.svelte') },
];
