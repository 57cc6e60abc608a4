# syntax=docker/dockerfile:1

# The newest patch release of Node on the slim Debian image: `docker build --pull` takes over security fixes. For an
# image that can be built again to the byte, name a digest with --build-arg NODE_IMAGE=…. Roster needs 24.15 or later.
ARG NODE_IMAGE=node:26-trixie-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
# Named one by one: nothing comes into a layer merely because it lay in the checkout.
COPY package.json package-lock.json .npmrc LICENSE tsconfig.json openapi.json ./
COPY scripts ./scripts
COPY migrations ./migrations
COPY console ./console
COPY clients/typescript/src ./clients/typescript/src
COPY src ./src
# `npm ci` ends with the `prepare` script, which builds dist/.
RUN --mount=type=cache,target=/root/.npm npm ci

FROM ${NODE_IMAGE}

# What an image is built from is known to whoever builds it: see deploy/image.md.
ARG VERSION=unknown
ARG REVISION=unknown
ARG NODE_IMAGE
LABEL org.opencontainers.image.title="Roster" \
      org.opencontainers.image.description="The people service for chatbot projects: members and contacts behind an HTTP interface." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.base.name="docker.io/library/${NODE_IMAGE}"

# Outside a container the service listens on the loopback only; in one, nobody could reach it there.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080

# Owned by root and read-only to the service: a flaw in it cannot change its own program.
WORKDIR /app
COPY --from=build /app/dist ./dist

# The owner is set before VOLUME, as a new named volume takes over owner and mode of the folder that it covers.
# Numeric, so that Kubernetes can see that it is not root; above 10000, so that it is nobody's on the host.
RUN ln -s /app/dist/main.js /usr/local/bin/roster \
    && install -d -o 10001 -g 10001 -m 0700 /data /backups
VOLUME /data
USER 10001:10001
# From here the database is /data/roster.db by default. A variable for that would contradict DATABASE_URL_FILE.
WORKDIR /

EXPOSE 8080

# With Node, for the image has no curl. The time limit inside is shorter than Docker's, so that the check ends by
# itself. While the service stops, /readyz answers 503.
HEALTHCHECK --interval=10s --timeout=4s --start-period=10s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/readyz`, { signal: AbortSignal.timeout(3000) }).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

# The exec form: no shell stands between the engine and Node, so signals arrive. Node is process 1, for which the kernel
# ignores any signal that has no handler; `serve` handles SIGTERM and SIGINT itself and has ended after about seven
# seconds, within the ten of `docker stop`. Commands without a handler, such as `keys list`, end by themselves;
# `docker run --init` makes Ctrl-C work for them too.
ENTRYPOINT ["roster"]
CMD ["serve"]
