import type { Model } from '../../model/model.ts';

/** The same model; `run` is called once, when the first request is made of it. */
export function onFirstRequest(model: Model, run: () => void): Model {
  let isFirst = true;
  return {
    info: model.info,
    stream: (request, signal) => {
      if (isFirst) run();
      isFirst = false;
      return model.stream(request, signal);
    },
  };
}
