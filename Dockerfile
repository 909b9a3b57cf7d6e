FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data DRAINER_DIR=/data/drainers
WORKDIR /app
COPY package.json package-lock.json ./
# The packages for charging are optional elsewhere and part of the image. Those of the tests, a second Node.js among them, are not.
# The npm package holds the parts of viem that it needs; the sources that run here need the whole, and its reader of ABIs.
RUN npm pkg set dependencies.viem="$(node -p "require('./package.json').overrides.viem")" \
  && npm pkg set "dependencies.swagger-ui-dist=$(npm pkg get devDependencies.swagger-ui-dist | tr -d '"')" \
  && npm pkg delete devDependencies workspaces peerDependenciesMeta \
  && npm install --no-audit --no-fund \
  && npm cache clean --force
COPY . .
# Rules and labels are parsed and the code is compiled here, so that a container starts at once.
RUN node src/start/prepare.ts && mkdir /data && chown node /data
# The ledger and the drainer lists.
VOLUME /data
USER node
EXPOSE 8080
# The health answer does not wait for the chain, so a slow endpoint never restarts the container.
HEALTHCHECK --interval=15s --timeout=3s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# No npm in between: the process itself gets SIGTERM.
CMD ["node", "src/main.js"]
