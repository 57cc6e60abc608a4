import { setFlagsFromString } from 'node:v8';

import { InvalidArgumentError, type Option } from 'commander';

import { openSource, type Source } from '../../chatling/source.ts';
import { AppError } from '../../errors.ts';
import { openRequests, type RequestsOptions } from '../../outgoing/requests.ts';
import type { Store } from '../../store.ts';
import { isLoopback } from '../../values/cidr.ts';
import { readToken } from '../keys/look-up.ts';
import { withStore } from '../open.ts';
import { note } from '../output.ts';
import { type Flags, option, repeated, required } from '../parts.ts';
import { progress } from '../progress.ts';
import { interruptible } from '../signals.ts';
import { optionFor } from '../taking.ts';

const chatling = 'https://api.chatling.ai/v2';
/** Chatling allows 300. */
const rateDefault = 240;
const rates = { type: 'integer', minimum: 1, maximum: 100_000 };
const timeoutMs = 30_000;
/** A page of the largest contacts takes 2 MB. */
const bytesMax = 16 * 1024 * 1024;

export type SourceFlags = Flags<
  Record<'project' | 'keyFile' | 'baseUrl', string> & { chatbot?: string[]; rate: number }
>;

export function sourceOptions(chatbotMeaning: string): Option[] {
  return [
    required(
      '--key-file <file>',
      'the file with an API key of the source; use a separate key, as each key has its own rate limit; - is stdin',
    ),
    option('--base-url <url>', "the address of the source's API").argParser(parseBaseUrl).default(chatling),
    repeated('--chatbot <id>', `${chatbotMeaning}; may be repeated`),
    optionFor('--rate <number>', 'maximum requests per minute', rates).default(rateDefault),
  ];
}

function parseBaseUrl(value: string): string {
  const url = URL.parse(value);
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '';
  if (isPlain) return url.href.replace(/\/+$/, '');
  throw new InvalidArgumentError('Use an address such as https://api.chatling.ai/v2, without a key in it.');
}

export interface OpenedSource {
  source: Source;
  store: Store;
  bar: ReturnType<typeof chatbotProgress>;
}

/** Opens store and source, and closes them after `work`; a signal interrupts it. Throws `invalid` for a file without a key. */
export async function withSource<T>(flags: SourceFlags, work: (opened: OpenedSource) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  using _ = interruptible((interruption) => stopping.abort(interruption));
  const bar = chatbotProgress();
  const opened = async (store: Store) => ({ source: await sourceOf(flags, stopping.signal, bar.end), store, bar });
  return await withStore(async (store) => work(await opened(store))).finally(bar.end);
}

async function sourceOf(
  { keyFile, baseUrl, rate: perMinute }: SourceFlags,
  signal: AbortSignal,
  clear: () => void,
): Promise<Source> {
  // The import mostly waits: optimizing V8 for size saves 80 MB.
  setFlagsFromString('--optimize-for-size');
  const key = await readToken(keyFile, '--key-file');
  const more = 'The file of --key-file holds more than a key; it must hold one key and nothing else';
  if (!/^[\x21-\x7e]+$/.test(key)) throw new AppError('invalid', more);
  const onWait: RequestsOptions['onWait'] = (seconds, why) => {
    clear();
    note(`The source ${why === 'limited' ? 'limits the rate' : 'is failing'}; retrying in ${seconds} s.`);
  };
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'http:' && !isLoopback(hostname))
    note('The key and the people travel unencrypted, because --base-url is plain http; use https.');
  return openSource({ requests: openRequests({ perMinute, timeoutMs, bytesMax, signal, onWait }), baseUrl, key });
}

function chatbotProgress() {
  let current: { chatbotId: string; bar: ReturnType<typeof progress>; total: number } | undefined;
  const end = () => current?.bar.end();
  return {
    update: (chatbotId: string, read: number, left: number) => {
      if (current?.chatbotId !== chatbotId) {
        end();
        current = { chatbotId, total: read + left, bar: progress(read + left) };
      }
      current.bar.update(read, Math.max(current.total - left, 0));
    },
    end,
  };
}
