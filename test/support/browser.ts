import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

export type { Browser } from 'playwright-core';

/** A real Chromium, from the npm package that carries one: nothing is downloaded or installed beside it. */
export async function openBrowser(): Promise<Browser> {
  // With it no answer would be kept from a page of another origin.
  const args = chromium.args.filter((one) => one !== '--disable-web-security');
  return playwright.launch({ args, executablePath: await chromium.executablePath(), headless: true });
}
