// How `svc test` says which model all tests ask, whatever they say themselves: `base`, `latest`, an endpoint, or a job with or
// without a checkpoint.
export const TARGET_VARIABLE = 'SVC_TEST_TARGET';
