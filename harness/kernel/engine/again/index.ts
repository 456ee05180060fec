export { operationsIn } from './answers.ts';
export { firstPauseMs, mostPolls, nextPause, paceSteps, retryBounds } from './bounds.ts';
export { isSentinel } from './lockout.ts';
export { lossOfService } from './loss-of-service.ts';
export { askedAgainFor, isLeftOpen, neverServed, paidAgain } from './never-served.ts';
export { Retries, type RetryLimits } from './retries.ts';
export { isAskedAgain, isSettled, secondPass } from './second-pass.ts';
export { RetryingSender } from './sender.ts';
export { responsesIn, sharesAll } from './stored-state.ts';
