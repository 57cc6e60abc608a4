import { setFlagsFromString } from 'node:v8';

import { InvalidArgumentError, type Option } from 'commander';

import { openSource, type Source } from '../../chatling/source.ts';
import { AppError } from '../../errors.ts';
import { openRequests, type RequestsOptions } from '../../outgoing/requests.ts';
import { isLoopback } from '../../values/loopback.ts';
import { readToken } from '../keys/look-up.ts';
import { note } from '../output.ts';
import { type Flags, option, repeated, required } from '../parts.ts';

const chatling = 'https://api.chatling.ai/v2';
/** Chatling allows 300. */
const rateDefault = 240;
const rateMax = 100_000;
const timeoutMs = 30_000;
/** A page of the largest contacts takes 2 MB. */
const bytesMax = 16 * 1024 * 1024;

export type SourceFlags = Flags<{
  project: string;
  keyFile: string;
  baseUrl: string;
  chatbot?: string[];
  rate: number;
}>;

export function sourceOptions(chatbotMeaning: string): Option[] {
  return [
    required(
      '--key-file <file>',
      'the file with an API key of the source; use a separate key, as each key has its own rate limit; - is stdin',
    ),
    option('--base-url <url>', "the address of the source's API").argParser(parseBaseUrl).default(chatling),
    repeated('--chatbot <id>', `${chatbotMeaning}; may be repeated`),
    option('--rate <number>', 'maximum requests per minute').argParser(parseRate).default(rateDefault),
  ];
}

function parseBaseUrl(value: string): string {
  const url = URL.parse(value);
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '';
  if (isPlain) return url.href.replace(/\/+$/, '');
  throw new InvalidArgumentError('Use an address such as https://api.chatling.ai/v2, without a key in it.');
}

function parseRate(value: string): number {
  const rate = /^[1-9]\d{0,5}$/.test(value) ? Number(value) : Infinity;
  if (rate <= rateMax) return rate;
  throw new InvalidArgumentError(`Use a whole number from 1 to ${rateMax}.`);
}

/** Opens the source with the key of the file. Throws `invalid` for a file that holds no key. */
export async function sourceOf(
  { keyFile, baseUrl, rate }: SourceFlags,
  signal: AbortSignal,
  clear: () => void,
): Promise<Source> {
  // The import mostly waits: optimizing V8 for size saves 80 MB.
  setFlagsFromString('--optimize-for-size');
  const key = await readToken(keyFile, '--key-file');
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new AppError(
      'invalid',
      'The file of --key-file holds more than a key; it must hold one key and nothing else',
    );
  }
  const onWait: RequestsOptions['onWait'] = (seconds, why) => {
    clear();
    note(`The source ${why === 'limited' ? 'limits the rate' : 'is failing'}; retrying in ${seconds} s.`);
  };
  if (isReadable(baseUrl))
    note('The key and the people travel unencrypted, because --base-url is plain http; use https.');
  const requests = openRequests({ perMinute: rate, timeoutMs, bytesMax, signal, onWait });
  return openSource({ requests, baseUrl, key });
}

/** Whether requests travel unencrypted to another machine. */
function isReadable(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopback(hostname);
}
