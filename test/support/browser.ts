import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

export type { Browser, Page } from 'playwright-core';

/** A real Chromium, from the npm package that carries one: nothing is downloaded or installed beside it. */
export async function openBrowser(): Promise<Browser> {
  // No answer is kept from a page of another origin, and a closed context takes no other with it.
  const unwanted = new Set(['--disable-web-security', '--single-process', '--no-zygote']);
  const args = chromium.args.filter((one) => !unwanted.has(one));
  return playwright.launch({ args, executablePath: await chromium.executablePath(), headless: true });
}
