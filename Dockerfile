# Satchel: docker build -t satchel . (docs/host/installing.md)
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json nest-cli.json ormconfig.ts ./
COPY src ./src
COPY scripts/bundle-assets.mjs scripts/copy-libraries.mjs scripts/slim-modules.mjs ./scripts/
RUN npm run build && npm prune --omit=dev --no-audit --no-fund && node scripts/slim-modules.mjs

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
# Fonts for the text in drawings (SVG), which the service converts to pictures.
RUN apt-get update && apt-get install -y --no-install-recommends fontconfig-config fonts-dejavu-core && rm -rf /var/lib/apt/lists/*
RUN mkdir /data && chown node:node /data
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY extension ./extension
COPY package.json LICENSE ./
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "--v8-pool-size=1", "dist/src/main.js"]
