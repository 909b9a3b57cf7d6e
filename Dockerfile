FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev && npm cache clean --force
COPY . .
# The ledger, where it is charged.
RUN mkdir /data && chown node /data
VOLUME /data
USER node
EXPOSE 8080
# The health answer does not wait for the chain, so a slow endpoint never restarts the container.
HEALTHCHECK --interval=15s --timeout=3s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# No npm in between: the process itself gets SIGTERM. The pinned Node of package-lock.json, not the image's.
CMD ["node_modules/.bin/node", "src/main.ts"]
