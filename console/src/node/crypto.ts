/* What the server's code for files needs of node:crypto: SHA-256 (FIPS 180-4) at once, which browsers offer later only. */

const roundConstants = fractions(64, Math.cbrt);
const start = fractions(8, Math.sqrt);
const blockBytes = 64;
const encoder = new TextEncoder();
const w = new Int32Array(64);

export function hash(_algorithm: 'sha256', text: string, _encoding: 'base64url'): string {
  const blocks = padded(encoder.encode(text));
  const state = new Int32Array(start);
  for (let at = 0; at < blocks.byteLength; at += blockBytes) addBlock(state, blocks, at);
  const digest = new DataView(new ArrayBuffer(32));
  for (const [index, word] of state.entries()) digest.setInt32(index * 4, word);
  const characters = String.fromCharCode(...new Uint8Array(digest.buffer));
  return btoa(characters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The bytes, a bit that is set, zeros, and their number in bits. */
function padded(bytes: Uint8Array): DataView {
  const blocks = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / blockBytes) * blockBytes));
  new Uint8Array(blocks.buffer).set(bytes);
  blocks.setUint8(bytes.length, 0x80);
  blocks.setBigUint64(blocks.byteLength - 8, BigInt(bytes.length) * 8n);
  return blocks;
}

function addBlock(state: Int32Array, blocks: DataView, at: number): void {
  for (let i = 0; i < 16; i++) w[i] = blocks.getInt32(at + i * 4);
  for (let i = 16; i < 64; i++) {
    const [a, b] = [word(w, i - 15), word(w, i - 2)];
    const early = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3);
    const late = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10);
    w[i] = word(w, i - 16) + early + word(w, i - 7) + late;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const chosen = (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g));
    const one = (h + chosen + word(roundConstants, i) + word(w, i)) | 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i] = word(state, i) + value;
}

function word(list: Int32Array, index: number): number {
  return list[index] ?? 0;
}

function turned(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by));
}

/** The first 32 bits of the fractions of these roots of the first primes. */
function fractions(count: number, root: (prime: number) => number): Int32Array {
  const primes: number[] = [];
  for (let one = 2; primes.length < count; one++) if (primes.every((prime) => one % prime !== 0)) primes.push(one);
  return Int32Array.from(primes, (prime) => (root(prime) % 1) * 2 ** 32);
}
