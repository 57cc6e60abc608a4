import type { IncomingMessage, Server } from 'node:http';

import type { Log, OnAnswered } from '../observability/access-log.ts';
import type { Store } from '../store.ts';
import { withinCidrs } from '../values/cidr.ts';
import { once } from '../values/once.ts';
import { keyGate } from './admit.ts';
import { clientAddress } from './client-address.ts';
import { allowanceOf, preflightHeaders } from './cors.ts';
import { docPages } from './docs.ts';
import { type Arrival, defaultLimits, type Limits, openEdge, serverOptions } from './edge/edge.ts';
import { unavailable } from './errors.ts';
import { createSender, Exchange, type Sender } from './exchange.ts';
import { healthPages } from './health.ts';
import { createIdentification, refusalTeller } from './identify.ts';
import { type McpEndpoint, mcpPage } from './mcp.ts';
import { createServer } from './node-http.ts';
import { ownOrigins } from './own-origins.ts';
import { buildPipeline, type PipelineParts } from './pipeline.ts';
import { rateLimit } from './rate-limit.ts';
import { originForm, requireWellFormed } from './request-checks.ts';
import { buildRouter, type Found, type Router } from './router.ts';
import { type Route, routes as routesOfV2 } from './routes.ts';
import { securityPages } from './security-txt.ts';
import type { SharedCounts } from './shared-rate-limit.ts';
import { createWaiting } from './waiting.ts';

export interface HttpSettings {
  /** Requests a minute for each key; 0 is no limit. */
  rateLimit: number;
  /** Maximum requests per minute for all keys of a project; missing means four times the limit of a key, 0 no limit. */
  projectRateLimit?: number | undefined;
  /** Origins that browsers may call from; none switches CORS off. */
  corsOrigins: readonly string[];
  /** CIDRs of proxies whose X-Forwarded-For counts. */
  trustProxy: readonly string[];
  /** Where links for people begin; `PORT` at its end is the port that the server listens at. */
  publicUrl: string;
  /** The name or address that the server is told to listen at. */
  host?: string;
  /** A `mailto:` or `https:` address for reports of vulnerabilities; may be empty. */
  securityContact?: string;
}

export interface AppOptions {
  log?: Log;
  onAnswered?: readonly OnAnswered[];
  sharedCounts?: SharedCounts;
  observeInFlight?: (count: () => number) => void;
  routes?: readonly Route[];
  /** Missing means that there is no `/mcp`. */
  mcp?: McpEndpoint;
  /** Never set where people are real: it is shown to whoever opens the reference. */
  demoToken?: string;
  limits?: Partial<Limits>;
  programVersion?: string;
}

export interface App extends AsyncDisposable {
  /** Listens once its owner says so; what is emitted on it as `request` passes everything but the socket. */
  readonly server: Server;
  /** Where links for people begin, once it listens. */
  readonly publicUrl: () => string;
  /** Takes no more requests, and lets those under way end; within seven seconds. */
  close(): Promise<void>;
}

const consolePaths = /^\/(?:console|sign-in|join|setup)(?:[/?]|$)/;

/** Number of keys that a project may use at their full limits. */
const timesOfKey = 4;

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** The whole HTTP side on a store, which stays its owner's to close. */
export function buildApp(store: Store, settings: HttpSettings, options: AppOptions = {}): App {
  const { log = silent, onAnswered: listeners = [], sharedCounts } = options;
  const { corsOrigins: origins, trustProxy, rateLimit: perMinute } = settings;
  const limits = { ...defaultLimits, ...options.limits };
  let isStopping = false;
  const stopping = () => isStopping;
  const onAnswered: OnAnswered = (answered) => {
    for (const tell of listeners) tell(answered);
  };
  const isProxy = withinCidrs(trustProxy);
  const sender = createSender({ log, onAnswered, onRefused: refusalTeller(store, onAnswered), isStopping: stopping });
  const identification = createIdentification(store, log);
  const waiting = createWaiting(store.watch);
  const parts: PipelineParts = {
    store,
    sender,
    identification,
    limit: rateLimit({ perMinute, ofProject: settings.projectRateLimit ?? timesOfKey * perMinute }, sharedCounts),
    waiting,
    addressOf: ({ arrival }) => clientAddress(arrival.request, isProxy),
  };
  const serve = buildPipeline(parts, keyGate(parts));
  // A service that nobody looks at never loads the console.
  const consoleRouter = once(async () => {
    const { openConsole } = await import('./console/console.ts');
    const { served, pages } = openConsole(parts, settings, {
      log,
      sharedCounts,
      programVersion: options.programVersion,
    });
    return buildRouter([served], pages);
  });
  const router = buildRouter(
    [{ routes: options.routes ?? routesOfV2, serve }],
    [
      ...healthPages(store, sender, stopping),
      ...securityPages(sender, settings.securityContact ?? ''),
      ...docPages(sender, ownOrigins(settings.host ?? '', []), options.demoToken),
      ...(options.mcp ? [mcpPage(parts, options.mcp, ownOrigins(settings.host ?? '', origins))] : []),
    ],
  );

  const server = createServer(serverOptions);
  const publicUrl = () => {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    return settings.publicUrl.replace(/:PORT$/, `:${port}`);
  };
  const edgeOptions = {
    serve: dispatcher({ router, consoleRouter, sender, origins, isStopping: stopping, limits, publicUrl }),
    isKnownKey: identification.isKnown,
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

interface DispatcherParts {
  router: Router;
  consoleRouter: () => Promise<Router>;
  sender: Sender;
  origins: readonly string[];
  isStopping: () => boolean;
  limits: Limits;
  publicUrl: () => string;
}

/** Leads a request to its page or its route. Every error ends here, as an answer. */
function dispatcher({ router, consoleRouter, sender, origins, isStopping, limits, publicUrl }: DispatcherParts) {
  const lead = (exchange: Exchange, { target, params }: Found): Promise<void> => {
    const { path } = 'page' in target ? target.page : target.route;
    exchange.route = path;
    if (isStopping() && path !== '/livez') throw unavailable();
    if ('page' in target) return target.page.serve(exchange);
    return target.serve(exchange, target.route, params);
  };
  return async (arrival: Arrival): Promise<void> => {
    const exchange = new Exchange(arrival, sender, limits.answerWithinMs, publicUrl);
    try {
      const { request } = arrival;
      if (origins.length > 0) exchange.allowance = allowanceOf(request.headers.origin, origins);
      requireWellFormed(request);
      const url = originForm(request.url ?? '/');
      const isOfConsole = consolePaths.test(url);
      // Other sites have no business with the console.
      if (isOfConsole) exchange.allowance = [];
      const methods = preflightOf(request, exchange, router, url);
      if (methods) return sender.send(exchange, 204, preflightHeaders(methods, url));
      const responsible = isOfConsole ? await consoleRouter() : router;
      await lead(exchange, responsible.find(request.method ?? '', url));
    } catch (error) {
      sender.sendError(exchange, error);
    }
  };
}

function preflightOf(
  { method, headers }: IncomingMessage,
  exchange: Exchange,
  router: Router,
  url: string,
): string[] | undefined {
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return undefined;
  if (exchange.allowance.length === 0) return undefined;
  const methods = router.methodsOf(url);
  return methods.length > 0 ? methods : undefined;
}
