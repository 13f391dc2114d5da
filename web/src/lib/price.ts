// SPDX-License-Identifier: Apache-2.0
/** Money in the unit that the user named. */
export const priceText = (value: number, currency: string): string =>
  `${value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) < 100 ? 2 : 0 })}${currency === '' ? '' : `\u00a0${currency}`}`;
