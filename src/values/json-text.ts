const depthMax = 64;
export const tooDeep = `nested deeper than ${depthMax} levels`;

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** Whether a JSON text is nested too deeply. Checked before parsing: recursive functions would exhaust the stack. */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let place = 0; place < json.length; place++) {
    const one = json.charCodeAt(place);
    if (isInText) {
      if (one === backslash) place++;
      else if (one === quote) isInText = false;
    } else if (one === quote) isInText = true;
    else if (one === closeBracket || one === closeBrace) depth--;
    else if ((one === openBracket || one === openBrace) && ++depth > depthMax) return true;
  }
  return false;
}

export function parsedJson(text: string): unknown {
  try {
    return isTooDeep(text) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The byte, from 0, at which a text stops being JSON. `error` comes from JSON.parse. */
export function byteOfFault(json: string, error: unknown): number {
  const [, place] = / at position (\d+)/.exec(String(error)) ?? [];
  return Buffer.byteLength(json.slice(0, place === undefined ? placeWithoutValue(json) : Number(place)));
}

const value = String.raw`(?:"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|true|false|null)`;
// Match many values at a time: one by one a megabyte took twelve times as long.
const tokens = new RegExp(String.raw`\s*((?:${value}\s*[,:]\s*){1,99}|${value}|[{}[\],:])`, 'y');

/** Finds a missing value, for which JSON.parse names no place: the first token that is invalid or stands where a value belongs. */
function placeWithoutValue(json: string): number {
  let before = '[';
  let place = (tokens.lastIndex = 0);
  for (let found = tokens.exec(json); found; found = tokens.exec(json)) {
    const [whole, one = ''] = found;
    if (/^[\]},:]$/.test(one) && /^[[,:]$/.test(before) && before + one !== '[]') return place + whole.length - 1;
    before = one.trimEnd().slice(-1);
    place = tokens.lastIndex;
  }
  return place + (/^\s*/.exec(json.slice(place))?.[0].length ?? 0);
}
