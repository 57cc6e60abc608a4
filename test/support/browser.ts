import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

export type { Browser } from 'playwright-core';

/** A real Chromium, from the npm package that carries one: nothing is downloaded or installed beside it. */
export async function openBrowser(): Promise<Browser> {
  return playwright.launch({ args: chromium.args, executablePath: await chromium.executablePath(), headless: true });
}
