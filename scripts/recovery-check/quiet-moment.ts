import { setTimeout as pause } from 'node:timers/promises';

/** A whole second with no writes around it, because both tools use clocks of their own. */
export async function quietMoment(): Promise<string> {
  await pause(2_500);
  const moment = `${new Date().toISOString().slice(0, 19)}Z`;
  await pause(2_500);
  return moment;
}
