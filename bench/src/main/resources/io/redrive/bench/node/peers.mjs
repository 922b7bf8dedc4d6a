// Drains jobs that wait already, with one of two job queues, and prints jobs per second.
// usage: node peers.mjs graphile-worker|pg-boss URL COUNT PAYLOAD
const [peer, connectionString, countText, payload] = process.argv.slice(2);
const count = Number(countText);

function countdown() {
  let left = count;
  let finish;
  const done = new Promise((resolve) => (finish = resolve));
  return { done, jobs: (number) => (left -= number) <= 0 && finish() };
}

async function graphileWorker() {
  const { default: worker } = await import("graphile-worker");
  const { default: pg } = await import("pg");
  const pgPool = new pg.Pool({ connectionString, max: 10 });
  const quiet = new worker.Logger(() => () => {});
  const utils = await worker.makeWorkerUtils({ pgPool, logger: quiet });
  await utils.migrate();
  for (let i = 0; i < count; i += 500) {
    const jobs = Array.from({ length: Math.min(500, count - i) }, () => ({ identifier: "bench", payload: { payload } }));
    await utils.addJobs(jobs);
  }
  const { done, jobs } = countdown();
  const start = process.hrtime.bigint();
  // Its documented set-up for high rates: a local queue and completions in batches.
  const runner = await worker.run({
    pgPool,
    logger: quiet,
    noHandleSignals: true,
    taskList: { bench: async () => jobs(1) },
    preset: {
      worker: {
        concurrentJobs: 24,
        localQueue: { size: 500 },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
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
  const { done, jobs } = countdown();
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

console.log(await (peer === "pg-boss" ? pgBoss() : graphileWorker()));
process.exit(0);
