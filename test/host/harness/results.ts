/** What one launch of the in-host tests tells the runner, as JSON in the file named by `SLUICE_HOST_RESULTS`. */
export interface HostResults {
  readonly tests: readonly HostTest[];
}

export interface HostTest {
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly ms: number;
  /** Why it failed or was skipped. */
  readonly reason?: string;
}
