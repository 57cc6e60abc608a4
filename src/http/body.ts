import type { IncomingMessage } from 'node:http';

import { giveWay } from '../values/give-way.ts';
import { byteOfFault, isTooDeep, tooDeep } from '../values/json-text.ts';
import { trimmed } from '../values/text.ts';
import { HttpError } from './errors.ts';
import type { Exchange } from './exchange.ts';

const bodyBytesMax = 1_048_576;
/** Parsing a megabyte of names takes 0.1 s; callers without a credential must not cost that. */
const shortBytesMax = 65_536;
/** The library of MCP takes twice as long for names; its tools have no large arguments. */
const messageBytesMax = 262_144;

export interface RequestBody {
  /** Texts are trimmed, and an empty one is null. Missing where the body is empty. */
  readonly value: object | undefined;
  readonly bytes: Buffer;
}

/** Reads a JSON object. Throws `unsupported_media_type`, `payload_too_large` or `malformed_request`, in this order. */
export async function readBody(exchange: Exchange, bytesMax = bodyBytesMax): Promise<RequestBody> {
  const bytes = await readBytes(exchange, bytesMax);
  // Many large bodies may end in one turn, and validating one takes as long as parsing it.
  await giveWay();
  const value = bytes.length === 0 ? undefined : objectIn(bytes);
  await giveWay();
  if (value) trimmed(value);
  await giveWay();
  return { value, bytes };
}

export const readShortBody = (exchange: Exchange): Promise<RequestBody> => readBody(exchange, shortBytesMax);

/** Reads a JSON object with its texts as they are; an empty body is malformed. Throws as `readBody` does. */
export async function readMessage(exchange: Exchange): Promise<object> {
  return objectIn(await readBytes(exchange, messageBytesMax));
}

async function readBytes({ arrival }: Exchange, bytesMax: number): Promise<Buffer> {
  const { request } = arrival;
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  const isEmpty = coding === undefined && (length === undefined || Number(length) === 0);
  if (isEmpty) return Buffer.alloc(0);
  const typeError = typeErrorOf(request);
  if (typeError && coding === undefined) throw typeError;
  if (Number(length ?? 0) > bytesMax) throw new HttpError('payload_too_large');
  // The edge limits how long a body takes; the time limit of the request begins after it.
  arrival.awaitedSince = Infinity;
  const bytes = await collect(request, typeError, bytesMax);
  arrival.awaitedSince = performance.now();
  return bytes;
}

// RFC 9110 §5.6.6: a parameter may be empty.
const mediaType = /^application\/(json|merge-patch\+json)\s*(?:;\s*(?:charset="?utf-8"?\s*)?)*$/i;

function typeErrorOf({ method, headers }: IncomingMessage): HttpError | undefined {
  const kind = mediaType.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase();
  const isWanted = kind === 'json' || (kind !== undefined && method === 'PATCH');
  if (!isWanted) return new HttpError('unsupported_media_type');
  if (headers['content-encoding'] === undefined) return undefined;
  const message = 'The request body must not be encoded; leave out Content-Encoding';
  return new HttpError('unsupported_media_type', [], { message });
}

/** Reads the whole body. With a wrong type it rejects at the first byte. */
function collect(request: IncomingMessage, typeError: HttpError | undefined, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (typeError) reject(typeError);
      else if (size <= bytesMax) chunks.push(chunk);
      else reject(new HttpError('payload_too_large'));
    });
    request.once('end', () => {
      request.off('close', onClose);
      resolve(Buffer.concat(chunks, Math.min(size, bytesMax)));
    });
    const onClose = () => reject(new HttpError('malformed_request'));
    request.once('close', onClose);
    if (request.destroyed) onClose();
  });
}

function objectIn(bytes: Buffer): object {
  const text = textIn(bytes);
  if (isTooDeep(text)) throw malformed(`is ${tooDeep}`);
  const value = parsed(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw malformed('must be a JSON object');
}

function textIn(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformed('is not UTF-8');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(`is not JSON; the first mistake is at byte ${byteOfFault(text, error)}`);
  }
}

function malformed(says: string): HttpError {
  return new HttpError('malformed_request', [], { message: `The request body ${says}` });
}
