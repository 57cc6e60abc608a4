// Types only: schemas may say what OpenAPI says (summary, security, hide).
/// <reference types="@fastify/swagger" />
import Fastify, { type FastifyInstance } from 'fastify';

import type { Refusal } from '../api-keys/api-key.ts';
import type { Log, OnAnswered } from '../observability/access-log.ts';
import type { Store } from '../store.ts';
import { meetArrivals } from './arrivals/arrivals.ts';
import { answerClientError, answerForNode } from './arrivals/connection-errors.ts';
import { expressLane } from './arrivals/express-lane.ts';
import { registerCors } from './cors.ts';
import { failureSender, HttpFailure, sendFailure, unavailable } from './failures.ts';
import { registerHealth } from './health.ts';
import { collectPaths, refuseOtherMethods } from './method-not-allowed.ts';
import { registerDocs } from './openapi/docs.ts';
import { readParameters } from './openapi/parameters.ts';
import { serialize } from './openapi/serialization.ts';
import { rateLimit } from './rate-limit.ts';
import { hasEmptyParameter, headerBytesMax, originForm, requireWellFormed } from './request-checks.ts';
import { requestId } from './request-id.ts';
import { answeredBy, followRequests } from './requests-in-flight.ts';
import { setStandingHeaders } from './response-headers.ts';
import type { SharedCounts } from './shared-rate-limit.ts';
import { laneOfV2, registerV2 } from './v2/index.ts';

export interface HttpSettings {
  /** Requests a minute for each key; 0 is no limit. */
  rateLimit: number;
  /** Origins that browsers may call from; none switches CORS off. */
  corsOrigins: readonly string[];
  /** CIDRs of proxies whose X-Forwarded-For counts. */
  trustProxy: readonly string[];
}

export interface AppOptions {
  log?: Log;
  /** Told of every answer: the access log, the metrics. */
  onAnswered?: readonly OnAnswered[];
  /** For what must see every route: the OpenAPI document. */
  beforeRoutes?: (app: FastifyInstance) => void;
  /** Where several processes count together for the rate limit; stays its owner's to close. */
  sharedCounts?: SharedCounts;
  /** Told why each request was refused that has no key; of a key that has ended only when its caller is answered. */
  onRefused?: (refusal: Refusal) => void;
  /** Told once how to ask for the number of requests that are being answered. */
  observeInFlight?: (count: () => number) => void;
}

const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };
/** So that slow headers are given up within 15 s, whatever else delays it. */
const timeoutsCheckedEveryMs = 1_000;

/** The whole server on a store, which stays its owner's to close. It listens, or takes `inject`. */
export function buildApp(
  store: Store,
  settings: HttpSettings,
  {
    log = silent,
    onAnswered = [],
    onRefused = () => {},
    beforeRoutes,
    sharedCounts,
    observeInFlight,
  }: AppOptions = {},
): FastifyInstance {
  let stopping = false;
  const sendAnyFailure = failureSender(log);
  const answered: OnAnswered = (answer) => {
    for (const tell of onAnswered) tell(answer);
  };
  const app: FastifyInstance = Fastify({
    genReqId: requestId,
    trustProxy: settings.trustProxy.length > 0 && [...settings.trustProxy],
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // A path has at most 2 KiB, so no parameter reaches this, and Fastify never answers for us.
    routerOptions: { maxParamLength: headerBytesMax },
    schemaController: { compilersFactory: { buildValidator: isSetBelow, buildSerializer: isSetBelow } },
    http: {
      maxHeaderSize: headerBytesMax,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: timeoutsCheckedEveryMs,
      requireHostHeader: false,
    },
    rewriteUrl: ({ url }) => originForm(url ?? '/'),
    clientErrorHandler: (error, socket) => answerClientError(error, socket, answered),
    frameworkErrors: (error, request, reply) => {
      setStandingHeaders(reply, request.id);
      sendAnyFailure(error, request, reply);
      answered(answeredBy(request, reply, 0));
    },
  });
  answerForNode(app.server, answered);
  app.setValidatorCompiler(readParameters).setSerializerCompiler(serialize);
  app.decorateRequest('caller', null);
  app.setErrorHandler(sendAnyFailure);
  app.setNotFoundHandler((request, reply) => sendFailure(new HttpFailure('not_found'), request, reply));

  const limit = rateLimit(settings.rateLimit, sharedCounts);
  const isStopping = () => stopping;
  const inLane = { count: 0 };
  const lane = expressLane(store, laneOfV2(store), { limit, onAnswered: answered, isStopping, inLane });
  const { corsOrigins: origins, trustProxy: proxies } = settings;
  meetArrivals(app, store, lane, { isStopping, onAnswered: answered, origins, proxies, log });
  const inFlight = followRequests(app, answered, (request) =>
    log.warn({ request_id: request.id }, 'a handler took too long'),
  );
  observeInFlight?.(() => inLane.count + inFlight.size);
  app.addHook('preClose', async () => {
    stopping = true;
    // Else a kept-alive connection would hold up the stop after its last answer.
    for (const { raw } of inFlight.keys()) {
      raw.shouldKeepAlive = false;
      // Else Node takes a connection for idle, and cuts it off, whose answer is given but not yet on its way. One that
      // waits for the answer before it has no socket yet, and is given as what it is.
      if (raw.writableEnded && raw.socket) raw.finished = false;
    }
    app.server.keepAliveTimeout = 1;
  });
  app.addHook('onRequest', async (request, reply) => {
    if (stopping) reply.raw.shouldKeepAlive = false;
    setStandingHeaders(reply, request.id);
    requireWellFormed(request);
    if (request.is404 || hasEmptyParameter(request)) throw new HttpFailure('not_found');
    if (stopping && request.routeOptions.url !== '/livez') throw unavailable();
  });
  beforeRoutes?.(app);
  const paths = collectPaths(app);
  registerCors(app, origins);

  app.register(async (scope) => {
    registerHealth(scope, store, isStopping);
    registerDocs(scope);
  });
  registerV2(app, store, { limit, log, onRefused });
  refuseOtherMethods(app, paths);
  return app;
}

// Without this Fastify loads Ajv and fast-json-stringify, which are a third of a start.
function isSetBelow(): never {
  throw new Error('the compilers of schemas are set once the app is made');
}
