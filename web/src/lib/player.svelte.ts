// Where in a run the reader is, and how fast it plays. It knows steps. It deliberately knows no queue:
// what a step looks like, it asks the engine.

import type { StepView } from "../generated/types";
import { type Opened, reason } from "./engine";

export const SPEEDS = [0.5, 1, 2, 4];
/** How long a step stays, at speed 1. */
const STEP_MS = 1600;

export class Player {
  readonly run: Opened;
  view = $state.raw<StepView>() as StepView;
  playing = $state(false);
  speed = $state(1);
  /** The step whose row, marks and records are lit. */
  lit = $state<number | null>(null);
  /** A fault of the program itself, in a sentence. */
  fault = $state<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(run: Opened, step: number) {
    this.run = run;
    this.view = run.seek(step);
  }

  get step() {
    return this.view.step;
  }

  get steps() {
    return this.view.steps;
  }

  seek(step: number) {
    this.pause();
    this.#show(step);
  }

  play() {
    if (this.step === this.steps) this.#show(0);
    this.playing = true;
    this.#tick();
  }

  pause() {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  #tick() {
    this.#timer = setTimeout(() => {
      this.#show(this.step + 1);
      if (this.step === this.steps) this.pause();
      else this.#tick();
    }, STEP_MS / this.speed);
  }

  #show(step: number) {
    try {
      this.view = this.run.seek(Math.min(Math.max(step, 0), this.steps));
    } catch (error) {
      this.pause();
      this.fault = `The queue's program stopped: ${reason(error)}. Reload the page to go on from this row.`;
    }
  }
}
