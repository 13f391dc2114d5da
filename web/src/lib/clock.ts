// SPDX-License-Identifier: Apache-2.0
/** Moments in words. Pages that are files say UTC, so that they read the same everywhere; the dashboard says the time of its reader. */
import { moment } from './units';

let zone: string | null = null; // null: UTC

export function useLocalTime(): void {
  zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
}
/** 'Europe/Berlin', or 'UTC'. */
export const zoneName = (): string => zone ?? 'UTC';

const two = (value: number): string => String(value).padStart(2, '0');

/** 2013-04-09 12:05, or 2013-04-09 12:05:04 */
export function localMoment(unix: number, withSeconds = false): string {
  const at = new Date(unix * 1000);
  const seconds = withSeconds ? `:${two(at.getSeconds())}` : '';
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}${seconds}`;
}

/** As this page says moments. */
export const when = (unix: number, withSeconds = false): string => (zone === null ? moment(unix) : localMoment(unix, withSeconds));
/** UTC for those who hover; nothing where it is said anyway. */
export const whenUtc = (unix: number): string | undefined => (zone === null ? undefined : `${new Date(unix * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`);

/** What day a moment is on: 2013-04-09. */
export const whichDay = (unix: number): string => when(unix).slice(0, 10);
