import { setFlagsFromString } from 'node:v8';

import { type Command, InvalidArgumentError, Option } from 'commander';

import { openSource, type Source } from '../chatling/source.ts';
import { AppError } from '../errors.ts';
import { readToken } from './keys-look-up.ts';
import { note } from './output.ts';
import { collect, type Flags, jsonOption, projectOption } from './parts.ts';

const chatling = 'https://api.chatling.ai/v2';
/** Of the 300 that Chatling allows. */
const rateDefault = 240;
const rateMax = 100_000;

export type SourceFlags = Flags<{
  project: string;
  keyFile: string;
  baseUrl: string;
  chatbot?: string[];
  rate: number;
}>;

export function sourceOptions(command: Command): Command {
  return command
    .addOption(projectOption())
    .addOption(
      new Option(
        '--key-file <file>',
        'a file that holds an API key of the source, best one of its own, as limits are for each key; - is stdin',
      ).makeOptionMandatory(),
    )
    .addOption(
      new Option('--base-url <url>', 'where the API of the source is').argParser(parseBaseUrl).default(chatling),
    )
    .option('--chatbot <id>', 'only the contacts of this chatbot; may be repeated', collect<string>)
    .addOption(
      new Option('--rate <number>', 'how many requests a minute there are at most')
        .argParser(parseRate)
        .default(rateDefault),
    )
    .addOption(jsonOption());
}

function parseBaseUrl(value: string): string {
  const url = URL.parse(value);
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '';
  if (isPlain) return url.href.replace(/\/+$/, '');
  throw new InvalidArgumentError('It is an address such as https://api.chatling.ai/v2, without a key in it.');
}

function parseRate(value: string): number {
  const rate = /^[1-9]\d{0,5}$/.test(value) ? Number(value) : Infinity;
  if (rate <= rateMax) return rate;
  throw new InvalidArgumentError(`Allowed are whole numbers from 1 to ${rateMax}.`);
}

/** Opens the source with the key of the file. Throws `invalid` for a file that holds no key. */
export async function sourceOf(
  { keyFile, baseUrl, rate }: SourceFlags,
  signal: AbortSignal,
  clear: () => void,
): Promise<Source> {
  // It waits for the source most of the time: V8 is to collect sooner, and takes 80 MB less.
  setFlagsFromString('--optimize-for-size');
  const key = await readToken(keyFile, '--key-file');
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new AppError(
      'invalid',
      'The file of --key-file holds more than a key; it must hold one key and nothing else',
    );
  }
  note(
    'The limit of requests is for each key: with a key of its own the import takes nothing from your other programs.',
  );
  const onWait = (seconds: number) => {
    clear();
    note(`The source asks to wait, or does not answer well; trying again in ${seconds} s.`);
  };
  return openSource({ baseUrl, key, rate, signal, onWait });
}
