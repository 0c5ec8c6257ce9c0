import type { PlanBrief } from '../activities/contract.ts';
import { hostActivities } from './activities.ts';
import type { Logbook } from './logbook.ts';
import { FIRST_PLOT_PASS } from '../src/design/passes.ts';
import { type PassCounts, warmAgain } from './warm-again.ts';

const RESTART_MS = 10 * 60_000;

/**
 * Broker settings as a factor (a split plot): in every block each plot is applied anew, by a restart even when nothing
 * changed, and warmed before its first trial. One object a block or pass; where no setting varies it does nothing.
 */
export class Plots {
  private current: string | null = null;
  private readonly plan: PlanBrief;
  private readonly order: readonly string[];
  private readonly log: Logbook;

  /** @param order of the block's scenarios, those of one plot together. */
  constructor(plan: PlanBrief, order: readonly string[], log: Logbook) {
    this.plan = plan;
    this.order = order;
    this.log = log;
  }

  /**
   * Makes sure that the brokers run under the settings of this scenario.
   *
   * @param warm counts to warm them with afterwards; null when what follows is itself a first warm-up.
   */
  async enter(scenario: string, warm: PassCounts | null): Promise<void> {
    const plot = this.plan.plots?.[scenario];
    if (plot === undefined || plot === this.current) return;
    const { phase, message } = this.log;
    this.log.enter(phase, `giving the brokers the settings of ${plot}`);
    const host = hostActivities(this.plan.hostQueue, RESTART_MS, `broker settings ${plot}`);
    const applied = await host.applyPlot({ ref: this.plan.ref, plot });
    this.current = plot;
    this.log.enter(phase, applied.message);
    if (warm !== null) await this.warm(scenario, warm);
    this.log.enter(phase, message);
  }

  /** Scenarios of the block under the same settings as this one. */
  scenariosLike(scenario: string): readonly string[] {
    const plot = this.plan.plots?.[scenario];
    return [...new Set(this.order.filter((other) => this.plan.plots?.[other] === plot))];
  }

  private async warm(scenario: string, counts: PassCounts): Promise<void> {
    const pass = FIRST_PLOT_PASS + this.log.plotsApplied;
    this.log.plotsApplied += 1;
    await warmAgain(this.plan, counts, this.scenariosLike(scenario), pass, this.log);
  }
}
