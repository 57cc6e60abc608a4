import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';

import type { Config } from '../config.ts';
import { accessLog, type OnAnswered } from './access-log.ts';
import { bufferLines } from './log-buffer.ts';

/** The log of a service, and the access log, which share one stream. */
export interface ServiceLog {
  logger: Logger;
  logAnswer: OnAnswered;
}

/** JSON lines on stdout; readable text, with `colorize` in colour, where stdout is a terminal. */
export async function createLog(level: Config['logLevel'], colorize: boolean): Promise<ServiceLog> {
  const stream = process.stdout.isTTY ? await prettyStream(colorize) : bufferLines();
  const logger = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
    },
    stream,
  );
  const isWanted = logger.isLevelEnabled('info');
  return { logger, logAnswer: isWanted ? accessLog((line) => stream.write(line)) : () => undefined };
}

async function prettyStream(colorize: boolean): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({ colorize, sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss' });
}
