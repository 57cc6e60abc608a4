import { AppError } from '../errors.ts';

/** Enough bytes to recognise a byte order mark, UTF-16 or an archive. */
const firstBytes = 4;

/** Throws `invalid` if the bytes do not fit the given or detected encoding, which is known once the text is read. */
export function decode(
  bytes: AsyncIterable<Uint8Array>,
  given?: string,
): { text: AsyncGenerator<string>; encoding: () => string } {
  let decoder = given === undefined ? undefined : decoderOf(given);
  const next = (all: Uint8Array, isEnd: boolean): string => {
    const found = decoder ?? detected(all, isEnd);
    if (typeof found === 'string') return found;
    decoder = found;
    try {
      return decoder.decode(all, { stream: !isEnd });
    } catch (error) {
      const advice = 'save it as "CSV UTF-8", or name its encoding, such as windows-1252';
      throw invalid(`not ${decoder.encoding.toUpperCase()}; ${advice}`, error);
    }
  };
  const text = async function* () {
    // Too few bytes to detect anything, or an incomplete letter.
    let held = new Uint8Array();
    let isFirst = true;
    for await (const chunk of bytes) {
      const all = held.length === 0 ? chunk : Uint8Array.from([...held, ...chunk]);
      held = Uint8Array.from(all);
      if (isFirst && all.length < firstBytes) continue;
      const marked = isFirst ? decoderByMark(all) : undefined;
      decoder ??= marked;
      isFirst = false;
      const piece = next(all, false);
      held = decoder ? new Uint8Array() : held.subarray(piece.length);
      if (piece !== '') yield piece;
    }
    const rest = next(held, true);
    if (rest !== '') yield rest;
  };
  return { text: text(), encoding: () => decoder?.encoding ?? 'utf-8' };
}

export function encodingNamed(label: string): string | undefined {
  try {
    return decoderOf(label).encoding;
  } catch {
    return undefined;
  }
}

type Decoder = InstanceType<typeof TextDecoder>;

function decoderOf(label: string): Decoder {
  return new TextDecoder(label, { fatal: true });
}

function decoderByMark([a, b, c]: Uint8Array): Decoder | undefined {
  if (a === 0x50 && b === 0x4b && Number(c) < 9)
    throw invalid('a workbook or an archive, not text; save the sheet as "CSV UTF-8"');
  if ((a === 0xff && b === 0xfe) || (a !== 0 && b === 0)) return decoderOf('utf-16le');
  if ((a === 0xfe && b === 0xff) || (a === 0 && b !== 0)) return decoderOf('utf-16be');
  return a === 0xef && b === 0xbb && c === 0xbf ? decoderOf('utf-8') : undefined;
}

/** The text so far if it is ASCII, which these encodings share; otherwise a decoder. */
function detected(bytes: Uint8Array, isEnd: boolean): Decoder | string {
  let text;
  try {
    text = decoderOf('utf-8').decode(bytes, { stream: !isEnd });
  } catch {
    return looksWestern(bytes) ? decoderOf('windows-1252') : decoderOf('utf-8');
  }
  return /[\u0080-\u{10ffff}]/u.test(text) ? decoderOf('utf-8') : text;
}

/** A shorter text may have too many accented letters to judge. */
const sampleMin = 64;

/** Whether these bytes, which are not UTF-8, are mostly ASCII and contain no UTF-8 letter. */
function looksWestern(bytes: Uint8Array): boolean {
  const letters = new TextDecoder().decode(bytes).replaceAll('\uFFFD', '');
  const isText = bytes.every((byte) => byte > 31 || (byte > 8 && byte < 14));
  const others = bytes.filter((byte) => byte > 127).length;
  return isText && others * 3 < Math.max(bytes.length, sampleMin) && !/[\u0080-\u{10ffff}]/u.test(letters);
}

function invalid(rest: string, cause?: unknown): AppError {
  return new AppError('invalid', `The file is ${rest}.`, { cause });
}
