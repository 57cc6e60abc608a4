import { pino, stdTimeFunctions, type Logger } from 'pino';

import type { Config } from '../config.ts';
import { isLively } from './output.ts';

/** JSON lines on stdout; something for eyes where stdout is a terminal. */
export async function createLogger(level: Config['logLevel']): Promise<Logger> {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  if (!process.stdout.isTTY) return pino(options);
  const { default: pretty } = await import('pino-pretty');
  const colorize = isLively(process.stdout);
  return pino(options, pretty({ colorize, sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss' }));
}
