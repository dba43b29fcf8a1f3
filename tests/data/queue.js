// A small queue by the chapter's rules, for trying exported JavaScript tests on.
// It knows the chapter's interface in JavaScript's names. It deliberately has no log and lets no poll wait:
// the exported tests need neither. The page's tests spoil single lines of it, to see the tests notice.

function refusal(code, message) {
  return Object.assign(new Error(message), { code });
}

export function open({ visibility = 30000, maxAttempts = 5, clock }) {
  const queues = new Map();
  let lastToken = 0;
  let enqueued = 0;

  // A queue's tasks in enqueue order, as they are now: whoever looks treats an over lease as over.
  function look(name) {
    if (!queues.has(name)) queues.set(name, new Map());
    const held = queues.get(name);
    for (const one of held.values()) {
      if (one.phase !== "leased" || clock.now() < one.deadline) continue;
      if (one.attempt >= one.maxAttempts) {
        bury(one, "lease expired", one.deadline);
      } else {
        Object.assign(one, { phase: "waiting", visibleAt: one.deadline });
      }
    }
    return held;
  }

  function bury(one, lastError, at) {
    Object.assign(one, { phase: "dead", lastError, diedAt: at });
  }

  const isVisible = (one) => one.phase === "waiting" && one.visibleAt <= clock.now();
  const inOrder = (a, b) => a.visibleAt - b.visibleAt || a.place - b.place;

  function live({ queue, task, token }) {
    const one = look(queue).get(task.id);
    const isLive = one !== undefined && one.phase === "leased" && one.token === token;
    if (!isLive) throw refusal("LeaseLost", `token ${token} of ${task.id} may not act: poll for a new lease`);
    return one;
  }

  function leaseOf(queue, { id, payload, token, attempt, deadline, details }) {
    return { queue, task: { id, payload }, token, attempt, deadline, details };
  }

  return {
    enqueue(name, { id, payload, maxAttempts: most, visibility: length }) {
      const held = look(name);
      if (held.has(id)) return;
      held.set(id, {
        ...{ id, payload, maxAttempts: most || maxAttempts, visibility: length || visibility },
        ...{ place: enqueued++, phase: "waiting", visibleAt: clock.now(), attempt: 0, details: undefined },
      });
    },

    poll(name, _worker, _waitMs) {
      const [one] = [...look(name).values()].filter(isVisible).sort(inOrder);
      if (one === undefined) throw refusal("NoTask", "nothing is visible: ask again later");
      lastToken += 1;
      const deadline = clock.now() + one.visibility;
      Object.assign(one, { phase: "leased", attempt: one.attempt + 1, token: lastToken, deadline });
      return leaseOf(name, one);
    },

    check(lease) {
      live(lease);
    },

    heartbeat(lease, details) {
      const one = live(lease);
      one.deadline = clock.now() + one.visibility;
      one.details = details ?? one.details;
      return leaseOf(lease.queue, one);
    },

    complete(lease) {
      live(lease);
      look(lease.queue).delete(lease.task.id);
    },

    fail(lease, { message, nonRetryable = false, retryAfter = 0 }) {
      const one = live(lease);
      if (nonRetryable) {
        look(lease.queue).delete(one.id);
        return "Dropped";
      }
      if (one.attempt >= one.maxAttempts) {
        bury(one, message, clock.now());
        return "DeadLettered";
      }
      Object.assign(one, { phase: "waiting", visibleAt: clock.now() + retryAfter });
      return "Retrying";
    },

    dlq(name) {
      const dead = [...look(name).values()].filter((one) => one.phase === "dead");
      return dead.map(({ id, payload, attempt, lastError, diedAt }) => {
        return { task: { id, payload }, attempts: attempt, lastError, at: diedAt };
      });
    },

    redrive(name, ...ids) {
      const held = look(name);
      const dead = [...held.values()].filter((one) => one.phase === "dead");
      const unknown = ids.find((id) => !dead.some((one) => one.id === id));
      if (unknown !== undefined) throw refusal("NotFound", `no dead letter ${unknown}: list them first`);
      const chosen = ids.length === 0 ? dead : dead.filter((one) => ids.includes(one.id));
      const anew = { phase: "waiting", visibleAt: clock.now(), attempt: 0, details: undefined };
      for (const one of chosen) Object.assign(one, anew);
      return chosen.length;
    },

    depth(name) {
      const tasks = [...look(name).values()];
      const count = (is) => tasks.filter(is).length;
      return {
        visible: count(isVisible),
        leased: count((one) => one.phase === "leased"),
        dead: count((one) => one.phase === "dead"),
      };
    },
  };
}
