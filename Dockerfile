# The program in a container:  docker build -t draftgauge . && docker run --rm draftgauge verify --rounds 100k
# Not built by any test: where this was written, containers could not be run.
FROM debian:12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends make ca-certificates
COPY . /draftgauge
WORKDIR /draftgauge
RUN make deb

FROM debian:12-slim
COPY --from=build /draftgauge/out/packages/draftgauge_*.deb /tmp/
RUN apt-get update && apt-get install -y --no-install-recommends /tmp/draftgauge_*.deb python3-venv && \
    python3 -m venv /usr/share/draftgauge/renderer && \
    /usr/share/draftgauge/renderer/bin/pip install --no-cache-dir vl-convert-python && \
    rm -rf /tmp/*.deb /var/lib/apt/lists/*
WORKDIR /data
ENTRYPOINT ["draftgauge"]
