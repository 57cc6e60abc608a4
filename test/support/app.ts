import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import inject, { type InjectOptions } from 'light-my-request';
import { afterAll, beforeAll } from 'vitest';

import { type App, type AppOptions, buildApp, type HttpSettings } from '../../src/http/app.ts';
import type { Store } from '../../src/store.ts';
import { expectDocumented } from './document.ts';
import { type Opened, openStoreOfRun } from './engines.ts';
import { anywhere } from './webhooks.ts';

export interface TestApp extends AsyncDisposable {
  app: App;
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

export const noLimit: HttpSettings = {
  rateLimit: 0,
  projectRateLimit: undefined,
  corsOrigins: [],
  trustProxy: [],
  publicUrl: 'https://roster.test',
  host: '',
  securityContact: '',
};

/** The whole server on a real store of the engine of this run; a request passes everything but the socket. */
export async function openApp(
  settings: Partial<HttpSettings> = {},
  given?: Store,
  options: AppOptions = {},
): Promise<TestApp> {
  const opened: Opened | undefined = given ? undefined : await openStoreOfRun();
  const store = given ?? (opened as Opened).store;
  const app = buildApp(store, { ...noLimit, ...settings }, { outgoing: anywhere, ...options });
  const ask: TestApp['ask'] = async (options_) => {
    const response = await inject((request, response_) => void app.server.emit('request', request, response_), {
      ...options_,
      headers: { host: 'roster.test', ...options_.headers },
    });
    const answer = {
      status: response.statusCode,
      headers: response.headers as TestAnswer['headers'],
      body: response.body,
    };
    const isDocumented =
      options.routes === undefined &&
      !/^\/(\.well-known|docs|favicon|llms|openapi|console|sign-in|join|setup|$)/.test(options_.url);
    if (isDocumented && answer.status !== 204) {
      expectDocumented({ method: options_.method ?? 'GET', path: options_.url, ...answer });
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

/** The server of a file: it opens before the tests and closes after them, and each test makes its own project. */
export function appOfFile(settings?: Partial<HttpSettings>, options?: AppOptions): TestApp & Pick<Opened, 'database'> {
  const app = {} as ReturnType<typeof appOfFile>;
  let opened: Opened;
  beforeAll(async () => {
    opened = await openStoreOfRun();
    Object.assign(app, { database: opened.database }, await openApp(settings, opened.store, options));
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await opened[Symbol.asyncDispose]();
  });
  return app;
}

/** Listens on a free port of the loopback, and returns it. */
export async function portOf({ server }: Pick<App, 'server'>): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}
