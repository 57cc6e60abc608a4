import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';

import type { Config } from '../config.ts';
import { accessLog, type OnAnswered } from './access-log.ts';

/** The log of a service, and the one line an answer that goes with it. */
export interface ServiceLog {
  logger: Logger;
  logAnswer: OnAnswered;
}

/** JSON lines on stdout; something for eyes where stdout is a terminal. */
export async function createLog(level: Config['logLevel'], colorize: boolean): Promise<ServiceLog> {
  const stream = process.stdout.isTTY ? await forEyes(colorize) : linesTogether(togetherBytesMax);
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
  return {
    logger,
    logAnswer: isWanted ? accessLog((line) => stream.write(line)) : () => undefined,
  };
}

async function forEyes(colorize: boolean): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({ colorize, sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss' });
}

const togetherBytesMax = 65_536;
const togetherMs = 50;
/** More than this is not kept for a reader that does not read: people are served, lines are lost. */
const waitingBytesMax = 16 * 1024 * 1024;

/**
 * Writes what is logged within 50 ms together, as a write of its own costs each answer more than all of its line
 * (27 µs of CPU into a pipe, against 4), and without waiting for whoever reads. At the end of the process nothing
 * is left; a SIGKILL loses the last 50 ms.
 */
function linesTogether(bytesMax: number): DestinationStream {
  let lines = '';
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const text = lines;
    [lines, bytes] = ['', 0];
    if (text !== '') stdout.write(text);
  };
  // Before the destination's own, which is the last to write.
  process.on('exit', flush);
  const stdout = pino.destination({
    dest: 1,
    sync: false,
    maxWrite: bytesMax,
    maxLength: waitingBytesMax,
  });
  // A disk that is full costs lines and nobody's answers: they are tried again with the next ones. At the end of the
  // process the destination would try for ever.
  const flushSync = stdout.flushSync.bind(stdout);
  stdout
    .on('error', () => (stdout.flushSync = () => undefined))
    .on('write', () => (stdout.flushSync = flushSync));
  return {
    write: (line) => {
      const lineBytes = Buffer.byteLength(line);
      if (bytes + lineBytes > bytesMax) flush();
      lines += line;
      bytes += lineBytes;
      timer ??= setTimeout(flush, togetherMs);
    },
  };
}
