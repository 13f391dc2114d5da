// SPDX-License-Identifier: Apache-2.0
/** What a result is about, in a few words: its size, and what differs from the original. */
import { count } from '../lib/units';
import type { WhatIfData } from '../lib/what_if_data';

export const changedIn = (data: WhatIfData): string[] => data.parameters.filter((one) => one.differs).map((one) => `${one.name} ${one.original} → ${one.changed}`);

export const factsOf = (data: WhatIfData): string[] => [
  `${count(data.io_nodes)} I/O ${data.io_nodes === 1 ? 'node' : 'nodes'}`, `${count(data.jobs)} ${data.jobs === 1 ? 'job' : 'jobs'}`, ...(data.sweep ? [] : changedIn(data)),
];
