// Drains jobs that wait already, with one of two job queues, and prints jobs per second; or adds jobs at a rate and prints the
// percentiles 50, 99 and 99.9 of the milliseconds from the due time of a job to its start.
// usage: node peers.mjs graphile-worker|pg-boss URL COUNT PAYLOAD
//        node peers.mjs graphile-worker-latency URL COUNT PAYLOAD RATE
const [peer, connectionString, countText, payload, rateText] = process.argv.slice(2);
const count = Number(countText);
const rate = Number(rateText);

function countdown(number) {
  let left = number;
  let finish;
  const done = new Promise((resolve) => (finish = resolve));
  return { done, jobs: (ended) => (left -= ended) <= 0 && finish() };
}

// graphile-worker wants handlers of both errors. A lost connection would falsify the figures, so the process fails.
function openPool(pg) {
  const fail = (error) => {
    console.error(error);
    process.exit(1);
  };
  const pool = new pg.Pool({ connectionString, max: 10 });
  pool.on("error", fail);
  pool.on("connect", (client) => client.on("error", fail));
  return pool;
}

// Its documented set-up for high rates: a local queue and completions in batches.
const graphilePreset = {
  worker: {
    concurrentJobs: 24,
    localQueue: { size: 500 },
    completeJobBatchDelay: 0,
    failJobBatchDelay: 0,
  },
};

async function graphileWorkerLatency() {
  const { default: worker } = await import("graphile-worker");
  const { default: pg } = await import("pg");
  const pgPool = openPool(pg);
  const quiet = new worker.Logger(() => () => {});
  const utils = await worker.makeWorkerUtils({ pgPool, logger: quiet });
  await utils.migrate();
  let load;
  const runner = await worker.run({
    pgPool,
    logger: quiet,
    noHandleSignals: true,
    taskList: {
      bench: async ({ number }) => {
        load.started[number] = performance.now();
        load.jobs(1);
      },
    },
    preset: graphilePreset,
  });
  const latencies = async (jobs) => {
    load = { started: new Float64Array(jobs), ...countdown(jobs) };
    const begin = performance.now();
    for (let added = 0; added < jobs; ) {
      const due = Math.min(jobs, Math.floor(((performance.now() - begin) / 1000) * rate) + 1, added + 500);
      if (due > added) {
        const numbers = Array.from({ length: due - added }, (_, i) => added + i);
        await utils.addJobs(numbers.map((number) => ({ identifier: "bench", payload: { number, payload } })));
        added = due;
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await load.done;
    return load.started.map((at, number) => at - begin - (number / rate) * 1000).sort();
  };
  // A second to warm up, as Redrive has: every round starts a new process of Node.
  await latencies(Math.ceil(rate));
  const millis = await latencies(count);
  await runner.stop();
  await utils.release();
  await pgPool.end();
  return [0.5, 0.99, 0.999].map((share) => millis[Math.min(count - 1, Math.round(share * count))]).join(" ");
}

async function graphileWorker() {
  const { default: worker } = await import("graphile-worker");
  const { default: pg } = await import("pg");
  const pgPool = openPool(pg);
  const quiet = new worker.Logger(() => () => {});
  const utils = await worker.makeWorkerUtils({ pgPool, logger: quiet });
  await utils.migrate();
  for (let i = 0; i < count; i += 500) {
    const jobs = Array.from({ length: Math.min(500, count - i) }, () => ({ identifier: "bench", payload: { payload } }));
    await utils.addJobs(jobs);
  }
  const { done, jobs } = countdown(count);
  const start = process.hrtime.bigint();
  const runner = await worker.run({
    pgPool,
    logger: quiet,
    noHandleSignals: true,
    taskList: { bench: async () => jobs(1) },
    preset: graphilePreset,
  });
  await done;
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  await runner.stop();
  await utils.release();
  await pgPool.end();
  return count / seconds;
}

async function pgBoss() {
  const { default: PgBoss } = await import("pg-boss");
  const boss = new PgBoss({ connectionString, supervise: false, schedule: false });
  await boss.start();
  await boss.createQueue("bench");
  for (let i = 0; i < count; i += 500) {
    await boss.insert(Array.from({ length: Math.min(500, count - i) }, () => ({ name: "bench", data: { payload } })));
  }
  const { done, jobs } = countdown(count);
  const start = process.hrtime.bigint();
  // Two workers that fetch and complete 500 at a time, without the pause of its own polling.
  const drain = async () => {
    for (let batch = await boss.fetch("bench", { batchSize: 500 }); batch.length > 0; ) {
      await boss.complete("bench", batch.map((job) => job.id));
      jobs(batch.length);
      batch = await boss.fetch("bench", { batchSize: 500 });
    }
  };
  await Promise.all([drain(), drain()]);
  await done;
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  await boss.stop({ graceful: false });
  return count / seconds;
}

const peers = { "pg-boss": pgBoss, "graphile-worker": graphileWorker, "graphile-worker-latency": graphileWorkerLatency };
console.log(await peers[peer]());
process.exit(0);
