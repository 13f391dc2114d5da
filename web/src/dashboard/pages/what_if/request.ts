// SPDX-License-Identifier: Apache-2.0
/** What somebody fills in, and the request that it becomes. */
import type { Scenario, ScenarioParameter, SimulationRequest } from '../../../lib/api';

export interface Draft {
  title: string;
  scenario: string;
  values: Record<string, string>; // by key, as they stand in the fields
  axes: { key: string; text: string }[]; // values with commas
  store: string; // '': made-up jobs
  from: string; // of an input for date and time
  to: string;
}

const two = (value: number): string => String(value).padStart(2, '0');
/** Unix time as an input for date and time has it, in the reader's zone; '' for none. */
export function inputTime(unix: number | null | undefined): string {
  if (unix === null || unix === undefined) return '';
  const at = new Date(unix * 1000);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
export const unixTime = (text: string): number | null => {
  const at = new Date(text).getTime() / 1000;
  return text === '' || !Number.isFinite(at) ? null : at;
};

export const valuesOf = (scenario: Scenario): Record<string, string> => Object.fromEntries(scenario.parameters.map((one) => [one.key, one.value]));

export const emptyDraft = (scenario: Scenario): Draft => ({ title: '', scenario: scenario.name, values: valuesOf(scenario), axes: [], store: '', from: '', to: '' });

/** The same once more: of a request that was made before. */
export const draftOf = (request: SimulationRequest, scenario: Scenario): Draft => ({
  title: request.title, scenario: scenario.name, values: { ...valuesOf(scenario), ...request.changes }, axes: request.sweep.map(({ key, values }) => ({ key, text: values.join(', ') })),
  store: request.store ?? '', from: inputTime(request.from), to: inputTime(request.to),
});

export const changed = (draft: Draft, parameter: ScenarioParameter): boolean => (draft.values[parameter.key] ?? '').trim() !== parameter.value;

const listed = (text: string): string[] => text.split(',').map((one) => one.trim()).filter((one) => one !== '');

export function requestOf(draft: Draft, scenario: Scenario): SimulationRequest {
  const different = scenario.parameters.filter((one) => changed(draft, one) && (draft.values[one.key] ?? '').trim() !== '');
  return {
    title: draft.title.trim(), scenario: draft.scenario, changes: Object.fromEntries(different.map((one) => [one.key, (draft.values[one.key] ?? '').trim()])),
    sweep: draft.axes.filter((axis) => axis.key !== '' && listed(axis.text).length > 0).map((axis) => ({ key: axis.key, values: listed(axis.text) })),
    store: draft.store === '' ? null : draft.store, from: draft.store === '' ? null : unixTime(draft.from), to: draft.store === '' ? null : unixTime(draft.to),
  };
}

export const combinations = (draft: Draft): number => draft.axes.map((axis) => listed(axis.text).length).filter((n) => n > 0).reduce((all, n) => all * n, 1);

export const groupNames: Record<string, string> = {
  compute_nodes: 'Compute nodes', tree: 'Tree links', ciod: 'CIOD buffers', page_pool: 'Page pool', burst_buffer: 'Burst buffer', external_link: 'External link', disk_link: 'Disk link',
  object_servers: 'Object storage servers', targets: 'Object storage targets', io_nodes: 'I/O nodes', generator: 'Requests', cost: 'Prices and endurance',
};

/** Parts of the machine in the order of the parameters. */
export function groupsOf(parameters: ScenarioParameter[]): { name: string; title: string; about: string; parameters: ScenarioParameter[] }[] {
  const names = [...new Set(parameters.map((one) => one.group))];
  return names.map((name) => ({ name, title: groupNames[name] ?? name, about: parameters.find((one) => one.group === name)?.about ?? '', parameters: parameters.filter((one) => one.group === name) }));
}

export const example: Record<ScenarioParameter['unit'], string> = { bytes: '64 GiB', bytes_per_second: '10 Gbit/s', count: '4', choice: '', number: '12.5', text: 'EUR' };
export const unitText: Record<ScenarioParameter['unit'], string> = { bytes: 'a size', bytes_per_second: 'a bandwidth', count: 'a number', choice: '', number: 'a number', text: 'a word' };
