# One image, roles by ROLE. Builds with `docker build` and with buildah.
#
#   docker build --build-arg NODE_DIGEST=@sha256:… --build-arg VERSION=0.1.0 --build-arg REVISION=$(git rev-parse HEAD) .
#
# NODE_DIGEST pins the base image: "@sha256:…", as `docker buildx imagetools inspect node:24-bookworm-slim` tells it.
ARG NODE_DIGEST=
FROM docker.io/library/node:24-bookworm-slim${NODE_DIGEST} AS base

# The web client. No package's install script runs here or below.
FROM base AS web
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY shared shared
COPY locales locales
COPY web web
RUN node_modules/.bin/vite build web --app

# The program: packages that run it, and what they are (CycloneDX).
FROM base AS program
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
 && npm pkg delete devDependencies \
 && npm sbom --omit=dev --sbom-format=cyclonedx > sbom.cdx.json
COPY deploy/image/trim-packages.sh /tmp/
RUN sh /tmp/trim-packages.sh node_modules
COPY LICENSE ./
COPY shared shared
COPY locales locales
COPY demo demo
COPY server server
COPY --from=web /build/web/dist web/dist
# The embedded PostgreSQL's links, made now: the image's file system is never written to.
RUN node -e "import('/app/server/database/embedded/binaries.ts').then(({ provideBinaries }) => provideBinaries())"

# Modules as the program's own user compiles them: the program runs once. The paths are those of the image.
FROM program AS compiled
COPY deploy/image/compile-once.mjs /tmp/
RUN rm package-lock.json && install -d -o 1000 -g 1000 /compiled
USER 1000:1000
RUN NODE_COMPILE_CACHE=/compiled node /tmp/compile-once.mjs && chmod -R a+rX /compiled

# What the program needs of Debian: no package manager, npm or compiler goes along.
FROM base AS system
COPY deploy/image/pick-system.sh /tmp/
RUN sh /tmp/pick-system.sh /system /owned

FROM scratch
ARG VERSION=0.1.0
ARG REVISION=unknown
ARG CREATED=1970-01-01T00:00:00Z
LABEL org.opencontainers.image.title="Plugin Square" \
      org.opencontainers.image.description="Plugin marketplace for a collaborative design tool, with a backend-for-frontend gateway" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}" \
      org.opencontainers.image.base.name="docker.io/library/node:24-bookworm-slim"
COPY --from=system /system /
COPY --from=system --chown=1000:1000 /owned /
COPY --from=compiled /app /app
COPY --from=compiled --chown=0:0 /compiled /app/compiled
ENV PATH=/usr/local/bin:/usr/bin:/bin \
    LANG=C.UTF-8 \
    NODE_ENV=production \
    HOST=0.0.0.0 \
    DATA_DIR=/data \
    NODE_COMPILE_CACHE=/app/compiled \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=131072 \
    NODE_OPTIONS=--max-semi-space-size=16
WORKDIR /app
USER 1000:1000
VOLUME /data
EXPOSE 8080 8081
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.OPS_PORT || 8081}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node"]
CMD ["server/main.ts"]
