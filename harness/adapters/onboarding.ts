import { runDoctorChecks } from '../onboarding/doctor-checks.ts';
import type { Finding as DoctorFinding } from '../onboarding/finding.ts';
import { asker } from '../onboarding/free-requests.ts';
import type { Target } from '../target/target.ts';

export type { DoctorFinding };

/** Looks whether a target fits its gateway, as `touchstone doctor` does: free of charge. */
export function doctor(
  target: Target,
  { signal = new AbortController().signal }: { readonly signal?: AbortSignal } = {},
): Promise<readonly DoctorFinding[]> {
  return runDoctorChecks(target, asker(target, signal));
}
