import type { Server } from 'node:http';

import type { Config } from '../config/settings.ts';
import type { Log, OnAnswered } from '../observability/access-log.ts';
import type { Store } from '../store.ts';
import { withinCidrs } from '../values/cidr.ts';
import { once } from '../values/once.ts';
import type { Outgoing } from '../webhooks/outgoing.ts';
import { type Arrival, createServer, defaultLimits, type Limits, openEdge, serverOptions } from './edge/edge.ts';
import { unavailable } from './errors.ts';
import { Exchange, type Service } from './exchange.ts';
import { keyGate } from './gate.ts';
import { explained, knownKeys } from './known-keys.ts';
import { type McpEndpoint, mcpPage } from './mcp.ts';
import { allowanceOf, ownOrigins, preflightHeaders } from './origins.ts';
import { outageTeller } from './outages.ts';
import { docPages, healthPages, securityPages } from './pages.ts';
import { pipeline } from './pipeline.ts';
import { rateLimit, refusalLimit } from './rate-limit.ts';
import { originForm, requireWellFormed } from './request-checks.ts';
import { buildRouter, type Router } from './router.ts';
import { type Route, routes } from './routes.ts';
import type { SharedCounts } from './shared-rate-limit.ts';
import { createWaiting } from './waiting.ts';

export type HttpSettings = Pick<
  Config,
  'rateLimit' | 'projectRateLimit' | 'corsOrigins' | 'trustProxy' | 'publicUrl' | 'host' | 'securityContact'
>;

export interface AppOptions {
  log?: Log;
  onAnswered?: readonly OnAnswered[];
  sharedCounts?: SharedCounts;
  observeInFlight?: (count: () => number) => void;
  routes?: readonly Route[];
  mcp?: McpEndpoint;
  outgoing?: Outgoing;
  /** Never set where people are real: it is shown to whoever opens the reference. */
  demoToken?: string;
  limits?: Partial<Limits>;
  programVersion?: string;
}

export interface App extends AsyncDisposable {
  readonly server: Server;
  readonly publicUrl: () => string;
  /** Takes no more requests, and lets those under way end; within seven seconds. */
  close(): Promise<void>;
}

const consolePaths = /^\/(?:console|sign-in|join|setup)(?:[/?]|$)/;

const keysAtFullLimit = 4;

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** The store stays its owner's to close. */
export function buildApp(store: Store, settings: HttpSettings, options: AppOptions = {}): App {
  const { log = silent, sharedCounts, mcp } = options;
  const { corsOrigins: origins, trustProxy, rateLimit: perMinute, host } = settings;
  const limits = { ...defaultLimits, ...options.limits };
  let isStopping = false;
  const onAnswered: OnAnswered = (answered) => {
    for (const tell of options.onAnswered ?? []) tell(answered);
  };
  const isProxy = withinCidrs(trustProxy);
  const waiting = createWaiting(store.watch);
  const keys = knownKeys(store, log);
  const limit = rateLimit(
    { perMinute, ofProject: settings.projectRateLimit ?? keysAtFullLimit * perMinute },
    sharedCounts,
  );
  const countRefusal = perMinute === 0 ? async () => undefined : refusalLimit(isProxy, sharedCounts);
  const parts = { store, log, keys, limit, countRefusal, waiting };
  const router = buildRouter([
    ...(options.routes ?? routes).map(pipeline(parts, keyGate(parts))),
    ...healthPages(store),
    ...securityPages(settings.securityContact),
    ...docPages(ownOrigins(host, []), options.demoToken),
    ...(mcp ? [mcpPage(parts, mcp, ownOrigins(host, origins))] : []),
  ]);
  // A service that nobody looks at never loads the console.
  const consoleRouter = once(async () => {
    const { consoleEndpoints } = await import('./console/console.ts');
    const { programVersion } = options;
    return buildRouter(consoleEndpoints({ ...parts, programVersion }, { perMinute, host }, sharedCounts));
  });

  const server = createServer(serverOptions);
  const publicUrl = () => withPort(settings.publicUrl, server);
  const service: Service = {
    log,
    onAnswered: explained(store, onAnswered),
    tellOutage: outageTeller(log),
    isStopping: () => isStopping,
    publicUrl,
    outcomeWithinMs: limits.answerWithinMs,
    outgoing: options.outgoing,
  };
  const edgeOptions = {
    serve: dispatcher(service, origins, router, consoleRouter),
    isKnownKey: keys.isKnown,
    corsHeaders: (origin: string | undefined) => allowanceOf(origin, origins),
    onAnswered,
    isProxy,
    log,
  };
  const edge = openEdge(server, edgeOptions, limits);
  options.observeInFlight?.(edge.inFlight);
  const close = () => {
    isStopping = true;
    waiting.stop();
    return edge.close();
  };
  return { server, publicUrl, close, [Symbol.asyncDispose]: close };
}

function withPort(publicUrl: string, server: Server): string {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return publicUrl.replace(/:PORT$/, `:${port}`);
}

function dispatcher(
  service: Service,
  origins: readonly string[],
  router: Router,
  consoleRouter: () => Promise<Router>,
): (arrival: Arrival) => Promise<void> {
  return async (arrival) => {
    const exchange = new Exchange(arrival, service);
    try {
      const { request } = arrival;
      exchange.allowance = allowanceOf(request.headers.origin, origins);
      requireWellFormed(request);
      const url = originForm(exchange.url);
      const isOfConsole = consolePaths.test(url);
      if (isOfConsole) exchange.allowance = [];
      const preflight = preflightHeaders(exchange, router.methodsOf, url);
      if (preflight) return exchange.send(204, preflight);
      const { endpoint, params } = (isOfConsole ? await consoleRouter() : router).find(request.method ?? '', url);
      exchange.route = endpoint.path;
      if (service.isStopping() && endpoint.path !== '/livez') throw unavailable();
      await endpoint.serve(exchange, params);
    } catch (error) {
      exchange.sendError(error);
    }
  };
}
