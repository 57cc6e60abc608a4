/** Browsers resolve unspecified addresses and all names below localhost to the loopback. `URL` normalizes addresses. */
const hereOnly = /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]+\])$/;

export function isHereOnly(url: string): boolean {
  return hereOnly.test(new URL(url).hostname);
}
