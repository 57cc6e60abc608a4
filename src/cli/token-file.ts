import { readFileSync } from 'node:fs';
import { text as readText } from 'node:stream/consumers';

import { AppError } from '../errors.ts';

/** Reads the one token that a file, or stdin where it is `-`, holds; blanks around it do not count. */
export async function readToken(file: string): Promise<string> {
  const text = file === '-' ? await readText(process.stdin) : readTokenFile(file);
  const token = text.trim();
  if (token !== '') return token;
  throw new AppError(
    'invalid',
    'There is no token in it; the file or stdin must hold one token and nothing else.',
  );
}

function readTokenFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // Without the path: it may be the token itself, given in place of its file.
    const { code } = error as NodeJS.ErrnoException;
    throw Object.assign(new Error('the file of the token cannot be read'), { code });
  }
}
