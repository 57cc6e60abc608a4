/** Browsers take an unspecified address for the loopback, and every name below localhost. A URL writes addresses in one form. */
const hereOnly = /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]+\])$/;

/** Whether the URL leads to the machine of whoever opens it. */
export function isHereOnly(url: string): boolean {
  return hereOnly.test(new URL(url).hostname);
}
