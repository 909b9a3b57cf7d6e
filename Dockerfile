FROM node:26.10.0-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data DRAINER_DIR=/data/drainers
WORKDIR /app
COPY package.json package-lock.json ./
# Without workspaces: they hold the Node.js for machines without one.
RUN npm ci --omit=dev --ignore-scripts --no-workspaces --no-audit --no-fund && npm cache clean --force
COPY . .
# Rules and labels are parsed and the code is compiled here, so that a container starts at once.
RUN node src/serve/start/prepare.ts && mkdir /data && chown node /data
# The ledger and the drainer lists.
VOLUME /data
USER node
EXPOSE 8080
# The health answer does not wait for the chain, so a slow endpoint never restarts the container.
HEALTHCHECK --interval=15s --timeout=3s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# No npm in between: the process itself gets SIGTERM.
CMD ["node", "src/main.js"]
