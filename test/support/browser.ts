import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

export type { Browser, Page } from 'playwright-core';

/** No answer is kept from a page of another origin, and a closed context takes no other with it. */
const unwanted = new Set(['--disable-web-security', '--single-process', '--no-zygote']);
/** To draw on a graphics card that is not there takes more time than to draw without one. */
const drawing = new Set(['--ignore-gpu-blocklist', '--use-gl=angle', '--use-angle=swiftshader']);

/** A real Chromium, from the npm package that carries one: nothing is downloaded or installed beside it. */
async function openBrowser(): Promise<Browser> {
  const args = chromium.args.filter((one) => !unwanted.has(one) && !drawing.has(one));
  const executablePath = await chromium.executablePath();
  return playwright.launch({ args: [...args, '--disable-gpu'], executablePath, headless: true });
}

let browser: Promise<Browser> | undefined;

/** The one of this worker, for all its tests: to start one takes longer than most of them. It ends with the worker. */
export function browserOfWorker(): Promise<Browser> {
  // Vitest ends a worker by this signal, and Playwright clears up at the end of a process.
  if (!browser) process.once('SIGTERM', () => process.exit());
  return (browser ??= openBrowser());
}
