"""What a released scikit-learn model may hold, by name: classes, their settings, and their fitted attributes.

The table of weights is completed, so it names no hash. An attribute beside it may: the path of a regularization is zero
where no hash was seen, a document frequency counts one. So nothing is released that is not named here. Of a fitted
model only what scoring needs is kept; what is known and not needed is left out; anything else is refused.
"""

from __future__ import annotations

LINEAR_MODELS = frozenset({
    "ARDRegression", "BayesianRidge", "ElasticNet", "ElasticNetCV", "GammaRegressor", "HuberRegressor", "Lars",
    "LarsCV", "Lasso", "LassoCV", "LassoLars", "LassoLarsCV", "LassoLarsIC", "LinearRegression", "LinearSVC",
    "LinearSVR", "LogisticRegression", "LogisticRegressionCV", "MultiTaskElasticNet", "MultiTaskElasticNetCV",
    "MultiTaskLasso", "MultiTaskLassoCV", "OrthogonalMatchingPursuit", "OrthogonalMatchingPursuitCV",
    "PassiveAggressiveClassifier", "PassiveAggressiveRegressor", "Perceptron", "PoissonRegressor",
    "QuantileRegressor", "Ridge", "RidgeCV", "RidgeClassifier", "RidgeClassifierCV", "SGDClassifier",
    "SGDOneClassSVM", "SGDRegressor", "TheilSenRegressor", "TweedieRegressor",
})  # fmt: skip
"""Their predictions need no more than coef_, intercept_ or offset_, classes_, and settings."""

TRAINING_SETTINGS = frozenset({
    "C", "Cs", "alpha", "alpha_1", "alpha_2", "alpha_init", "alpha_per_target", "alphas", "average", "class_weight",
    "compute_score", "copy", "copy_X", "criterion", "cv", "dual", "early_stopping", "eps", "epsilon", "eta0",
    "fit_intercept", "fit_path", "gcv_mode", "intercept_scaling", "jitter", "l1_ratio", "l1_ratios", "lambda_1",
    "lambda_2", "lambda_init", "learning_rate", "link", "loss", "max_iter", "max_n_alphas", "max_subpopulation",
    "method", "multi_class", "n_alphas", "n_iter", "n_iter_no_change", "n_jobs", "n_subsamples",
    "noise_variance", "nu", "penalty", "positive", "power", "power_t", "precompute", "quantile", "random_state",
    "refit", "scoring", "selection", "shuffle", "solver", "solver_options", "store_cv_results", "store_cv_values",
    "threshold_lambda", "tol", "use_legacy_attributes", "validation_fraction", "verbose", "warm_start",
})  # fmt: skip
"""Settings of training of all linear models. One number, word or None is kept. Anything larger, such as a grid, becomes
None."""

ROW_COUNTS = frozenset({"n_nonzero_coefs"})
"""Settings of training that say how many rows are genuine: None is kept."""

LEFT_OUT = frozenset({
    # the state from which training would go on
    "_average_coef", "_average_intercept", "_standard_coef", "_standard_intercept", "average_coef_",
    "average_intercept_", "standard_coef_", "standard_intercept_", "t_", "loss_function_", "_loss_function_",
    "_expanded_class_weight", "loss_",
    # how the weights came about
    "C_", "Cs_", "X_offset_", "X_scale_", "active_", "alpha_", "alphas_", "best_score_", "breakdown_", "coef_path_",
    "coefs_paths_", "criterion_", "cv_alphas_", "cv_results_", "cv_values_", "dual_gap_", "eps_", "l1_ratio_",
    "l1_ratios_", "lambda_", "mse_path_", "n_iter_", "n_nonzero_coefs_", "n_subpopulation_", "noise_variance_",
    "outliers_", "rank_", "scale_", "scores_", "sigma_", "singular_", "solver_",
    # how data frames are handled, and where a list lay in memory
    "_metadata_request", "_sklearn_output_config", "_stop_words_id",
})  # fmt: skip
"""Attributes of linear models and of transformers that scoring does without."""

_TEXT_SETTINGS = {
    "alternate_sign", "analyzer", "binary", "decode_error", "dtype", "encoding", "input", "lowercase", "n_features",
    "ngram_range", "norm", "preprocessor", "stop_words", "strip_accents", "token_pattern", "tokenizer",
}  # fmt: skip
TRANSFORMERS = {
    "HashingVectorizer": frozenset(_TEXT_SETTINGS),
    "FeatureHasher": frozenset({"alternate_sign", "dtype", "input_type", "n_features"}),
    "Normalizer": frozenset({"copy", "norm"}),
    "Binarizer": frozenset({"copy", "threshold"}),
    "TfidfTransformer": frozenset({"norm", "smooth_idf", "sublinear_tf", "use_idf"}),
}
"""Steps before the model that learn nothing from the data, and their settings."""

PIPELINE_SETTINGS = frozenset({"memory", "transform_input", "verbose"})
LOSS_SETTINGS = frozenset({
    "approx_hessian", "closs", "constant_hessian", "device", "high", "high_inclusive", "interval_y_pred",
    "interval_y_true", "link", "low", "low_inclusive", "n_classes", "xp",
})  # fmt: skip
"""Settings of the loss of a generalized linear model, whose link turns scores into predictions."""

LABEL_SETTINGS = frozenset({"neg_label", "pos_label", "sparse_input_", "sparse_output", "y_type_"})

_PART = "take the fitted linear model out of it and save that alone, or in a pipeline with its HashingVectorizer"
_SEARCH = "save its best_estimator_"
_SEVERAL = (
    "save one linear model; LogisticRegression, SGDClassifier, LinearSVC and RidgeClassifier know several classes "
    "by themselves"
)
_WORDS = "that is the vocabulary of a vectorizer, so its features are not hashed; train with a HashingVectorizer"
_NO_TABLE = "it is no linear model with a coef_; train LogisticRegression, SGDClassifier or LinearSVC"
_ARRAYS = "save its weights alone, with numpy.savez('model.npz', coef_=m.coef_, intercept_=m.intercept_)"
_SCALED = "it measures every feature; train without it, for HashingVectorizer scales each document already"

_OF_CLASSES = {
    _SEARCH: ("GridSearchCV", "RandomizedSearchCV", "HalvingGridSearchCV", "HalvingRandomSearchCV"),
    _SEVERAL: ("BaggingClassifier", "BaggingRegressor", "ClassifierChain", "MultiOutputClassifier",
               "MultiOutputRegressor", "OneVsOneClassifier", "OneVsRestClassifier", "OutputCodeClassifier",
               "RegressorChain", "StackingClassifier", "StackingRegressor", "VotingClassifier", "VotingRegressor"),
    _WORDS: ("CountVectorizer", "DictVectorizer", "TfidfVectorizer"),
    _NO_TABLE: ("BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MultinomialNB", "NuSVC", "NuSVR",
                "OneClassSVM", "SVC", "SVR"),
    _ARRAYS: ("LinearDiscriminantAnalysis",),
    _SCALED: ("MaxAbsScaler", "MinMaxScaler", "RobustScaler", "SelectKBest", "SelectPercentile", "StandardScaler"),
}  # fmt: skip
_ADVICE = {name: advice for advice, names in _OF_CLASSES.items() for name in names}


def advice_on_class(name: str) -> str:
    """What to do about a class that is not released."""
    return _ADVICE.get(name, _PART)


def advice_on_attribute(owner: str, name: str) -> str:
    """What to do about an attribute that is not released."""
    if owner == "TfidfTransformer":
        return "train it with use_idf=False"
    if name == "feature_names_in_":
        return "the features have names, so they are not hashed; train on what a HashingVectorizer makes"
    return f"delete {name} before saving the model"
