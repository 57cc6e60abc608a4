import { createReadStream } from 'node:fs';

import { AppError } from '../errors.ts';

/** Reads a short file, or stdin for `-`. `what` is what it must hold. Errors name neither path nor text. */
export async function readShort(file: string, what: string, charactersMax: number, option: string): Promise<string> {
  const stream = file === '-' ? process.stdin : createReadStream(file);
  let text = '';
  try {
    for await (const chunk of stream.setEncoding('utf8')) {
      text += String(chunk);
      if (text.length > charactersMax) break;
    }
  } catch (error) {
    // The path may be a secret that was given in the wrong place.
    const { code } = error as NodeJS.ErrnoException;
    throw Object.assign(new Error(`${what} cannot be read`), {
      code,
      path: file === '-' ? 'stdin' : `the one after ${option}`,
    });
  }
  if (text.length <= charactersMax) return text;
  throw new AppError('invalid', `This is more than ${what}; the file or stdin must hold nothing else.`);
}
