package io.redrive.pipeline;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A listener that remembers. */
final class Heard implements PipelineListener {

    final List<Published> published = new CopyOnWriteArrayList<>();
    final List<Done> done = new CopyOnWriteArrayList<>();
    final List<Retrying> retries = new CopyOnWriteArrayList<>();
    final List<Dead> dead = new CopyOnWriteArrayList<>();
    final List<Batched> batches = new CopyOnWriteArrayList<>();
    final List<Stuck> stuck = new CopyOnWriteArrayList<>();
    final List<Workload> workloads = new CopyOnWriteArrayList<>();
    final List<Alert> alerts = new CopyOnWriteArrayList<>();
    final List<Recovered> recovered = new CopyOnWriteArrayList<>();
    final List<Stale> stale = new CopyOnWriteArrayList<>();
    final List<Paused> paused = new CopyOnWriteArrayList<>();
    final List<StoreTrouble> troubles = new CopyOnWriteArrayList<>();
    final List<Lint> lints = new CopyOnWriteArrayList<>();

    @Override
    public void onPublished(Published event) {
        published.add(event);
    }

    @Override
    public void onDone(Done event) {
        done.add(event);
    }

    @Override
    public void onRetry(Retrying event) {
        retries.add(event);
    }

    @Override
    public void onDead(Dead event) {
        dead.add(event);
    }

    @Override
    public void onBatch(Batched event) {
        batches.add(event);
    }

    @Override
    public void onStuck(Stuck event) {
        stuck.add(event);
    }

    @Override
    public void onWorkload(Workload event) {
        workloads.add(event);
    }

    @Override
    public void onAlert(Alert event) {
        alerts.add(event);
    }

    @Override
    public void onRecovered(Recovered event) {
        recovered.add(event);
    }

    @Override
    public void onStale(Stale event) {
        stale.add(event);
    }

    @Override
    public void onPaused(Paused event) {
        paused.add(event);
    }

    @Override
    public void onStoreTrouble(StoreTrouble event) {
        troubles.add(event);
    }

    @Override
    public void onLint(Lint event) {
        lints.add(event);
    }
}
