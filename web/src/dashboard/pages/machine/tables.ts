// SPDX-License-Identifier: Apache-2.0
/** The numbers behind the panels of the machine, for csv. */
import type { Gantt, Heat } from '../../../lib/api';
import type { Table } from '../../../lib/tables';
import { unpacked } from '../../../plots/cells';

export const ganttTable = (gantt: Gantt): Table => ({
  columns: ['job', 'user', 'name', 'nodes', 'start', 'end', 'bytes'], rows: gantt.jobs.map((job) => [job.job_id, job.user, job.name, job.nodes, job.start, job.end, job.bytes]),
});

/** One row for each server and bin that was measured. */
export function heatTable(heat: Heat): Table {
  const cells = unpacked(heat.cells, heat.rows.length * heat.bins);
  const rows: Table['rows'] = [];
  heat.rows.forEach((row, r) => {
    for (let b = 0; b < heat.bins; b++) {
      const rate = cells[r * heat.bins + b] ?? NaN;
      if (!Number.isNaN(rate)) rows.push([row.name, heat.t0 + b * heat.step, rate]);
    }
  });
  return { columns: ['server', 'time', heat.direction === 'metadata' ? 'metadata operations per second' : `bytes per second (${heat.direction})`], rows };
}
