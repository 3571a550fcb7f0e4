// Makes the page live: draws the figures, and the two charts that the sliders move. Needs vegaEmbed, `theory` and the
// data block of the page; without vegaEmbed, or where it fails, the page shows its pictures as it was written.
"use strict";

(() => {
  if (typeof vegaEmbed === "undefined") return;
  const data = JSON.parse(document.getElementById("data").textContent);
  const by_id = (id) => document.getElementById(id);
  // Expressions are interpreted, as the page allows no code made from text.
  // Nor does it allow styles but page.css, which has those of menus and tooltips.
  const common = {ast: true, renderer: "svg", defaultStyle: false, tooltip: {disableDefaultStyle: true}};
  async function draw(element, spec, options = {}) {
    const {view} = await vegaEmbed(element, spec, {
      ...common,
      ...options,
      config: data.config,
      actions: {export: true, source: false, compiled: false, editor: false},
      forceActionsMenu: true,
      downloadFileName: element.id,
    });
    view.toImageURL = (type, scale) => saved(element, spec, view, type, scale);  // which "Save as" calls
    return view;
  }

  // The chart as a file, where no style gives colours to names, as a second view in the colours of this moment. On the
  // page names stay, so that charts follow the style when the ground turns dark or the page is printed.
  async function saved(element, spec, view, type, scale) {
    const style = getComputedStyle(document.documentElement);
    const coloured = (value) => JSON.parse(JSON.stringify(value, (key, each) => {
      const name = typeof each === "string" && /^var\((--[\w-]+)\)$/.exec(each);
      return name ? style.getPropertyValue(name[1]).trim() : each;
    }));
    const copy = coloured(spec), config = {...coloured(data.config), background: style.getPropertyValue("--paper").trim()};
    if (copy.width === "container") copy.width = element.clientWidth;
    const {view: file} = await vegaEmbed(document.createElement("div"), copy,
      {...common, config, actions: false, logLevel: only_errors});
    for (const {data: {name} = {}} of copy.layer ?? []) {
      if (name) file.data(name, view.data(name));
    }
    for (const {name} of copy.params ?? []) file.signal(name, view.signal(name));
    const url = await file.runAsync().then(() => file.toImageURL(type, scale));
    file.finalize();
    return url;
  }

  // Panels above each other, and legends in columns, do not follow the width of their place by themselves.
  function fitted(spec, width) {
    const axes = 110, narrow = 480;
    const text = JSON.stringify(spec, (key, value) => key === "columns" && width < narrow ? 1 : value);
    const copy = JSON.parse(text);
    for (const panel of copy.vconcat ?? []) panel.width = Math.min(panel.width, width - axes);
    return copy;
  }

  const only_errors = 1;  // vega.Error, which the bundle does not export
  const short = (x) => String(Number(x.toPrecision(3)));
  const times = (x) => `${x.toFixed(2)}×`;
  const estimate = (row, show) =>
    row.low === null ? show(row.value) : `${show(row.value)} [${show(row.low)}, ${show(row.high)}]`;

  const sliders = ["alpha", "gamma", "cost", "verify", "overhead"].map(by_id);
  let subject = null;
  let charts = null;

  // What the sliders say, as theory.js wants it.
  function setting() {
    const value = Object.fromEntries(sliders.map((slider) => [slider.id, Number(slider.value)]));
    const curve = by_id("measured").checked ? subject.curve : null;
    return {...value, bonus: subject.bonus, curve};
  }

  // The rows of both charts. Recorded tokens do not depend on costs; their speed-up does.
  function rows(at) {
    const gammas = Array.from({length: data.most + 1}, (_, gamma) => gamma);
    const formula = {tokens: [], speedup: []}, recorded = {tokens: [], speedup: []};
    for (const gamma of gammas) {
      const curve = "by the formula";
      formula.tokens.push({curve, gamma, value: theory.expected_tokens(at.alpha, gamma, at.bonus)});
      formula.speedup.push({curve, gamma, value: theory.speedup(at, gamma)});
    }
    for (const {gamma, value, low, high} of subject.recorded) {
      const over = (divisor) => ({
        curve: subject.name, gamma, value: value / divisor,
        low: low === null ? null : low / divisor, high: high === null ? null : high / divisor,
      });
      recorded.tokens.push(over(1));
      recorded.speedup.push(over(theory.round_cost(at, gamma)));
    }
    return {formula, recorded};
  }

  function sentence(at, {formula, recorded}) {
    const best = theory.best_gamma(formula.speedup.map((row) => row.value));
    const here = recorded.tokens.findIndex((row) => row.gamma === at.gamma);
    const tokens = formula.tokens[at.gamma].value, speedup = formula.speedup[at.gamma].value;
    const words = at.cost > 0 ? [] : ["As the sliders stand a draft step takes no time, as of no real draft."];
    words.push(`At γ = ${at.gamma} the formula promises ${tokens.toFixed(2)} tokens a round, ` +
      `${times(speedup)} the speed of plain decoding; ` +
      (best === 0 ? "no γ is faster." : `its best is γ = ${best} with ${times(formula.speedup[best].value)}.`));
    if (here >= 0) {
      const speedups = [1, ...recorded.speedup.map((row) => row.value)];
      const won = theory.best_gamma(speedups);
      words.push(`Along the recording it is ${estimate(recorded.tokens[here], (x) => x.toFixed(2))} tokens and ` +
        `${estimate(recorded.speedup[here], times)}; ` +
        (won === 0 ? "there plain decoding is best."
          : `there γ = ${recorded.speedup[won - 1].gamma} is best with ${times(speedups[won])}.`));
    }
    return words.join(" ");
  }

  function update() {
    const at = setting(), curves = rows(at);
    for (const slider of sliders) {
      const shown = by_id("sliders").querySelector(`output[for=${slider.id}]`);
      shown.textContent = slider.id === "verify" && at.curve ? "" : short(Number(slider.value));
    }
    by_id("verify").disabled = at.curve !== null;
    by_id("answer").textContent = sentence(at, curves);
    for (const [name, view] of Object.entries(charts)) {
      view.data("theory", curves.formula[name]).data("recorded", curves.recorded[name])
        .data("chosen", [{gamma: at.gamma}]).resize().runAsync();
    }
  }

  // Puts the sliders where the subject has them. A slider reaches at least to 1, further where that is passed.
  function start(chosen) {
    subject = chosen;
    const {alpha, gamma, cost, overhead} = subject, initial = {alpha, gamma, cost, verify: 0, overhead};
    for (const slider of sliders) {
      if (slider.id === "gamma") slider.max = data.most;
      else if (slider.id !== "alpha") slider.max = Math.max(1, 1.5 * initial[slider.id]);
      slider.value = initial[slider.id];
    }
    by_id("measured").checked = subject.curve !== null;
    by_id("measured-field").hidden = subject.curve === null;
    by_id("recorded-key").hidden = subject.recorded.length === 0;
    by_id("interval-key").hidden = subject.recorded.every((row) => row.low === null);
    update();
  }

  async function run() {
    for (const element of document.querySelectorAll(".chart[data-figure]")) {
      await draw(element, fitted(data.figures[element.dataset.figure], element.clientWidth));
      for (const picture of element.parentElement.querySelectorAll(".picture")) picture.hidden = true;
    }
    if (data.subjects.length === 0) {
      for (const element of document.querySelectorAll(".live")) element.remove();
      return;
    }
    const chooser = by_id("subject");
    for (const [index, each] of data.subjects.entries()) chooser.add(new Option(each.name, index));
    by_id("subject-field").hidden = data.subjects.length < 2;
    document.documentElement.classList.add("scripted");  // charts are as wide as what is shown
    charts = {};
    try {
      for (const name of ["tokens", "speedup"]) {
        // Until the sliders have set them its curves are empty, of which Vega would warn.
        charts[name] = await draw(by_id(`explore-${name}`), data.explorer, {logLevel: only_errors});
      }
    } catch (error) {
      document.documentElement.classList.remove("scripted");  // no dead sliders
      throw error;
    }
    by_id("sliders").addEventListener("input", (event) => {
      if (event.target === chooser) start(data.subjects[chooser.value]);
      else update();
    });
    by_id("sliders").addEventListener("reset", (event) => {
      event.preventDefault();
      start(subject);
    });
    start(data.subjects[0]);
  }

  window.draftgauge_ready = run();
})();
