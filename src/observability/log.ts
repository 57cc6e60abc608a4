import { type DestinationStream, pino, stdTimeFunctions } from 'pino';

import type { Config } from '../config/settings.ts';
import { printable, printableJson } from '../values/printable.ts';
import { accessLog, answerText, type OnAnswered } from './access-log.ts';

const bufferBytes = 65_536;
const flushAfterMs = 50;
/** A stalled reader loses lines beyond this; answers come first. */
const waitingBytesMax = 16 * 1024 * 1024;

export async function createLog(level: Config['logLevel'], colorize: boolean) {
  const isForEyes = process.stdout.isTTY;
  const stream = isForEyes ? await prettyStream(colorize) : bufferLines();
  const logger = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
      // The message of an unforeseen error may hold personal data.
      hooks: { streamWrite: isForEyes ? printableLine : printableJson },
    },
    stream,
  );
  const tell: OnAnswered = isForEyes
    ? (answered) => logger.info(answerText(answered))
    : accessLog((line) => stream.write(line));
  const logAnswer: OnAnswered = (answered) => logger.isLevelEnabled('info') && tell(answered);
  return { logger, logAnswer };
}

function printableLine(line: string): string {
  return `${JSON.stringify(JSON.parse(line, printableValue))}\n`;
}

function printableValue(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? printable(value) : value;
}

async function prettyStream(colorize: boolean): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({ colorize, sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss' });
}

/** Writes to stdout every 50 ms and at exit; SIGKILL, or exit with a stalled reader, can lose lines. */
function bufferLines(): DestinationStream {
  const buffer = Buffer.allocUnsafe(bufferBytes);
  let used = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (used > 0) stdout.write(Buffer.copyBytesFrom(buffer, 0, used));
    used = 0;
  };
  // Registered before the destination's own listener, which writes last.
  process.on('exit', () => {
    // At exit Node cancels asynchronous writes.
    Object.assign(stdout, { sync: true });
    flush();
  });
  const stdout = openStdout();
  return {
    write: (line) => {
      const bytesMax = line.length * 3;
      if (used + bytesMax > bufferBytes) flush();
      if (bytesMax > bufferBytes) return stdout.write(Buffer.from(line));
      used += buffer.write(line, used);
      timer ??= setTimeout(flush, flushAfterMs);
    },
  };
}

function openStdout(): { write: (bytes: Buffer) => void } {
  const stdout = pino.destination({
    dest: 1,
    sync: false,
    contentMode: 'buffer',
    // sonic-boom 5 loses count when it joins several buffers after a failed write.
    maxWrite: 1,
    maxLength: waitingBytesMax,
  });
  // On a full disk each write retries the lines before it; at exit that would never end.
  const flushSync = stdout.flushSync.bind(stdout);
  stdout.on('error', () => (stdout.flushSync = () => undefined)).on('write', () => (stdout.flushSync = flushSync));
  return stdout as unknown as { write: (bytes: Buffer) => void };
}
