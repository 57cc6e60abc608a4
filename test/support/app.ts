import type { FastifyInstance, InjectOptions } from 'fastify';

import { type AppOptions, buildApp, type HttpSettings } from '../../src/http/app.ts';
import type { Store } from '../../src/store.ts';
import { expectDocumented } from './document.ts';
import { type Opened, openStoreOfRun } from './engines.ts';

export interface TestApp extends AsyncDisposable {
  app: FastifyInstance;
  store: Store;
  /** Asks, and holds the answer against the OpenAPI document. */
  get(path: string, token?: string, headers?: Record<string, string>): Promise<TestAnswer>;
  ask(options: InjectOptions & { url: string }): Promise<TestAnswer>;
}

export interface TestAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  body: string;
  json: {
    status: string;
    data?: never;
    message?: string;
    code?: string;
    request_id?: string;
    errors?: { field: string; code: string; message: string }[];
  } & Record<string, unknown>;
}

export const noLimit: HttpSettings = { rateLimit: 0, corsOrigins: [], trustProxy: [] };

/** The whole server on a real store of the engine of this run. */
export async function openApp(
  settings: Partial<HttpSettings> = {},
  given?: Store,
  options: AppOptions = {},
): Promise<TestApp> {
  const opened: Opened | undefined = given ? undefined : await openStoreOfRun();
  const store = given ?? (opened as Opened).store;
  const app = buildApp(store, { ...noLimit, ...settings }, options);
  await app.ready();
  const ask: TestApp['ask'] = async (options) => {
    const response = await app.inject({ ...options, headers: { host: 'roster.test', ...options.headers } });
    const answer = {
      status: response.statusCode,
      headers: response.headers as TestAnswer['headers'],
      body: response.body,
    };
    if (!/^\/(docs|openapi)/.test(options.url) && answer.status !== 204) {
      expectDocumented({ method: options.method ?? 'GET', path: options.url, ...answer });
    }
    const isJson = answer.body !== '' && /json/.test(String(answer.headers['content-type']));
    return { ...answer, json: (isJson ? JSON.parse(answer.body) : {}) as TestAnswer['json'] };
  };
  return {
    app,
    store,
    ask,
    get: (url, token, headers = {}) =>
      ask({ url, headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers } }),
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await opened?.[Symbol.asyncDispose]();
    },
  };
}
