# Touchstone as a container image:
#   docker build -t touchstone .
#   docker run --rm -v "$PWD:/work" touchstone run --target gateway.yaml
# Any image with Node 20.19 or newer and npm will do.
ARG NODE_IMAGE=node:22-slim@sha256:c3de60bf2f9dd0ac6370e6117950ff62d6e339527e7472301c9c78a017978392

FROM ${NODE_IMAGE} AS package
WORKDIR /source
COPY . .
# Packed first, so that the image has what users of the package have. No install script is needed.
RUN npm ci --ignore-scripts --no-audit --no-fund \
  && npm pack --pack-destination / \
  && npm install --prefix /app --ignore-scripts --no-audit --no-fund /gateway-touchstone-*.tgz

FROM ${NODE_IMAGE}
COPY --from=package /app /app
# For scripts in a container: sh -c 'touchstone run …'.
ENV PATH=/app/node_modules/.bin:$PATH
# Target files are read and reports are written here.
WORKDIR /work
# Whoever mounts a folder of another user starts it with: --user "$(id -u):$(id -g)"
USER 1000:1000
ENTRYPOINT ["touchstone"]
CMD ["run"]
