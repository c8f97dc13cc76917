import math
import subprocess
import sys
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
import torch
import toys.known  # noqa: F401

from dwarrow.agents import make, words
from dwarrow.agents.batch import choose_rows
from dwarrow.agents.neural import network as networks
from dwarrow.agents.neural.agent import NeuralAgent
from dwarrow.agents.neural.cells import BLOCK, CellNet
from dwarrow.agents.neural.masked import masked_entropy, masked_kl, masked_log_softmax
from dwarrow.agents.neural.network import Network, Shape, frozen_copy
from dwarrow.agents.neural.weights import load_weights, save_weights
from dwarrow.envs import game
from dwarrow.envs.core.observation import Observation
from dwarrow.envs.core.record import NONE

TOY = game("goofspiel")


def network(seed: int = 0) -> Network:
    return Network(TOY.observation, TOY.n_actions, Shape(hidden=32), seed)


# Masked numerics


def test_log_softmax_and_entropy_equal_the_hand_value():
    logits = torch.tensor([[0.0, math.log(3.0), 50.0]])
    mask = torch.tensor([[True, True, False]])
    logp = masked_log_softmax(logits, mask)
    assert logp[0, :2].exp().tolist() == pytest.approx([0.25, 0.75])
    assert logp[0, 2] == 0
    entropy = -(0.25 * math.log(0.25) + 0.75 * math.log(0.75))
    assert masked_entropy(logp, mask).item() == pytest.approx(entropy)
    even = masked_log_softmax(torch.zeros(1, 3), mask)
    kl = 0.25 * math.log(0.25 / 0.5) + 0.75 * math.log(0.75 / 0.5)
    assert masked_kl(logp, even, mask).item() == pytest.approx(kl)


def test_a_row_with_one_legal_action_gives_no_gradient():
    logits = torch.randn(5, 7, requires_grad=True)
    mask = torch.zeros(5, 7, dtype=torch.bool)
    mask[torch.arange(5), torch.arange(5)] = True
    logp = masked_log_softmax(logits, mask)
    loss = logp[torch.arange(5), torch.arange(5)].sum() + masked_entropy(logp, mask).sum()
    loss.backward()
    assert logits.grad is not None
    assert torch.equal(logits.grad, torch.zeros(5, 7))


def test_extreme_logits_give_finite_losses_and_gradients():
    logits = torch.tensor([[1e30, -1e30, 0.0, 1e38], [-1e38, -1e38, 1e38, 0.0]], requires_grad=True)
    mask = torch.tensor([[True, True, True, False], [True, True, False, False]])
    logp = masked_log_softmax(logits, mask)
    masked_entropy(logp, mask).sum().backward()
    assert logits.grad is not None
    assert torch.isfinite(logits.grad).all()
    assert torch.isfinite(masked_entropy(logp, mask)).all()


def test_bfloat16_logits_are_normalised_in_float32():
    logits = torch.randn(64, 200).bfloat16()
    logp = masked_log_softmax(logits, torch.ones(64, 200, dtype=torch.bool))
    assert logp.dtype == torch.float32
    assert logp.exp().sum(-1).numpy() == pytest.approx(1, abs=1e-5)


# Sampling


def test_no_illegal_action_in_millions_of_draws_with_extreme_logits():
    rng = np.random.default_rng(0)
    n, n_actions = 1000, 200
    actions, logp = np.empty(n, np.int64), np.empty(n, np.float32)
    with np.errstate(over="ignore"):
        for scale in (0.1, 1, 100, 1e4, 1e30, 3e38):
            logits = (rng.standard_normal((n, n_actions)) * scale).astype(np.float32)
            logits[~np.isfinite(logits)] = np.inf if scale > 1e38 else 0
            logits[logits == np.inf] = 3.4e38
            mask = (rng.random((n, n_actions)) < rng.choice([0.01, 0.1, 0.3])).astype(np.int8)
            mask[np.arange(n), rng.integers(n_actions, size=n)] = 1
            for _ in range(1700):
                choose_rows(logits, mask, words(rng, n), False, actions, logp)
                assert mask[np.arange(n), actions].all()
            assert np.isfinite(logp).all()
            assert (logp <= 0).all()


def test_draws_follow_the_softmax_and_logp_is_its_logarithm():
    n = 40000
    logits = np.tile(np.log(np.array([1, 2, 3, 4], np.float32)), (n, 1))
    mask = np.tile(np.array([1, 0, 1, 1], np.int8), (n, 1))
    actions, logp = np.empty(n, np.int64), np.empty(n, np.float32)
    choose_rows(logits, mask, words(np.random.default_rng(3), n), False, actions, logp)
    expected = np.array([1, 0, 3, 4]) / 8
    counts = np.bincount(actions, minlength=4)
    legal = expected > 0
    chi = ((counts[legal] - n * expected[legal]) ** 2 / (n * expected[legal])).sum()
    assert chi < 13.8  # 2 degrees, p = 0.001
    assert np.exp(logp) == pytest.approx(expected[actions], rel=1e-5)
    choose_rows(logits, mask, words(np.random.default_rng(3), n), True, actions, logp)
    assert (actions == 3).all()


# The network


def test_a_network_is_drawn_from_its_seed_and_touches_no_global_stream():
    torch.manual_seed(0)
    before = torch.get_rng_state()
    first, again, other = network(1), network(1), network(2)
    assert torch.equal(torch.get_rng_state(), before)
    for a, b, c in zip(first.parameters(), again.parameters(), other.parameters(), strict=True):
        assert torch.equal(a, b)
        assert a.ndim == 1 or not torch.equal(a, c)


LAYOUT = Observation(
    ("hand", (5,), "cards"),
    ("tiles", (2, 4, 6), "tiles"),
    ("turn", (1,), "turn"),
    ("units", (3, 4, 6), "units"),
    ("track", (1, 2, 2), "another board"),
    actions={"tiles": [NONE, *range(30, 7, -1)]},
)
N_ACTIONS = 33


def as_large(layout: Observation, n_actions: int, shape: Shape, seed: int = 0) -> Network:
    """A network for which any board is a large one."""
    with mock.patch.object(networks, "SMALL_BOARD", 0):
        return Network(layout, n_actions, shape, seed)


def board_network(seed: int = 0) -> Network:
    return as_large(LAYOUT, N_ACTIONS, Shape(hidden=64, channels=8), seed)


def sparse(n: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(n)
    dense = torch.randn(n, LAYOUT.size, generator=generator)
    return dense * (torch.rand(n, LAYOUT.size, generator=generator) < 0.05)


def test_small_boards_are_read_whole_and_large_ones_by_cells():
    net = Network(LAYOUT, N_ACTIONS, Shape(hidden=64, channels=8))
    assert (len(net.boards), len(net.small)) == (0, 2)
    planes = sorted(k for board in net.small for k in board.features)
    assert sorted([*net.flat_features, *planes]) == list(range(LAYOUT.size))
    obs = torch.randn(1, LAYOUT.size, generator=torch.Generator().manual_seed(1)).requires_grad_()
    logits, value = net(obs)
    (logits.square().sum() + value.sum()).backward()
    assert (obs.grad != 0).all()
    large = Network(Observation(("b", (9, 16, 16), "")), 2, Shape(hidden=8, channels=4))
    assert len(large.boards) == 1
    assert large.flat_features == []


def test_every_feature_of_every_board_matters():
    net = board_network()
    obs = torch.randn(1, LAYOUT.size)
    logits, value = net(obs)
    assert (logits.shape, value.shape) == ((1, N_ACTIONS), (1,))
    for feature in range(LAYOUT.size):
        other = obs.clone()
        other[0, feature] += 1
        assert net(other)[1] != value


def test_a_live_cell_is_seen_with_its_neighbours():
    layout = Observation(("flat", (2,), ""), ("a", (1, 3, 4), ""), ("b", (1, 3, 4), ""))
    net = CellNet([layout["a"], layout["b"]], 5)
    obs = torch.zeros(3, layout.size)
    obs[0, :2] = 7  # flat: no cell lives of it
    obs[1, layout.at("a") + 5] = 2  # row 1, column 1 of 3 x 4
    obs[2, layout.at("b") + 3] = 3  # a corner, row 0, column 3
    for dtype in (torch.float32, torch.bfloat16):
        live = net.look(obs.to(dtype))
        assert live.row.tolist() == [1] * 9 + [2] * 4
        assert live.cell.tolist() == [0, 1, 2, 4, 5, 6, 8, 9, 10, 2, 3, 6, 7]
        seen = live.seen[: len(live.row)].reshape(
            -1, 3, 3, 2
        )  # row and column around the cell, plane
        where = [tuple(k.tolist()) for k in seen.nonzero()]
        first = [(m, 2 - m // 3, 2 - m % 3, 0) for m in range(9)]
        assert where == [*first, (9, 1, 2, 1), (10, 1, 1, 1), (11, 0, 2, 1), (12, 0, 1, 1)]
        assert set(live.seen[live.seen != 0].tolist()) == {2, 3}


def test_live_cells_are_what_a_dense_convolution_over_a_board_finds():
    layout = Observation(("a", (3, 4, 6), ""))
    net, obs = CellNet([layout["a"]], 5), sparse(20)[:, :72].contiguous()
    board = obs.view(20, 3, 4, 6)
    board[10:, :, :, 2:] = 0
    live = net.look(obs)
    patches = torch.nn.functional.unfold(board, 3, padding=1).reshape(20, 3, 9, 24)
    wanted = patches.permute(0, 3, 2, 1).reshape(20, 24, 27)
    dead = torch.ones(20, 24, dtype=torch.bool)
    dead[live.row, live.cell] = False
    assert torch.equal(live.seen[: len(live.row)], wanted[live.row, live.cell])
    assert (wanted[dead] == 0).all()
    assert dead.any()


def test_the_action_of_a_cell_is_judged_by_what_lies_there():
    """Swapping two lonely tiles swaps the logits of their cells; dead cells are all alike."""
    layout = Observation(("a", (1, 5, 9), ""), actions={"a": range(45)})
    net = as_large(layout, 46, Shape(hidden=16, channels=8))
    with torch.no_grad():
        net.pointers["0"].point.weight.normal_(generator=torch.Generator().manual_seed(1))
    one, two = torch.zeros(2, 1, 45)
    one[0, 19], one[0, 25] = 1, 3
    two[0, 19], two[0, 25] = 3, 1
    here, there = net(one)[0][0], net(two)[0][0]
    assert here[19].item() == pytest.approx(there[25].item(), abs=1e-5)
    assert here[25].item() == pytest.approx(there[19].item(), abs=1e-5)
    assert here[19].item() != pytest.approx(here[25].item(), abs=1e-3)
    assert here[0] == here[4] == here[44]


def test_actions_of_cells_keep_their_numbers():
    net = board_network()
    obs = sparse(4)
    logits = net(obs)[0]
    with torch.no_grad():
        net.pointers["0"].point.bias += 100
        moved = net(obs)[0] - logits
    wanted = [100.0 if 8 <= action <= 30 else 0.0 for action in range(N_ACTIONS)]
    assert moved[0].tolist() == pytest.approx(wanted, abs=1e-3)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_cells_of_one_row_are_judged_alike_whatever_the_other_rows(dtype: torch.dtype):
    net = frozen_copy(board_network(), dtype)
    obs = sparse(300)
    for k in range(0, 300, 50):
        block = torch.zeros(32, LAYOUT.size)
        block[7] = obs[k]
        alone = [part[7] for part in net(block)]
        block[8:] = obs[k + 1 : k + 25]
        together = [part[7] for part in net(block)]
        assert all(torch.equal(a, b) for a, b in zip(alone, together, strict=True))


def test_cells_come_in_few_sizes():
    """The matrix library keeps what it prepares for a size, so memory would grow with each."""
    layout = Observation(("a", (3, 20, 40), ""))
    net, sizes = CellNet([layout["a"]], 5), set()
    net.seen.register_forward_pre_hook(lambda module, args: sizes.add(len(args[0])))
    for n in (1, 7, 30, 31):
        obs = torch.zeros(n, layout.size)
        obs[:, ::50] = 1
        net(net.look(obs))
    assert len(sizes) > 1
    assert all(size % BLOCK == 0 for size in sizes)


def test_training_and_play_agree_on_boards():
    net, obs = board_network(), sparse(200)
    for one, two in zip(net(obs), frozen_copy(net)(obs), strict=True):
        assert one.detach().numpy() == pytest.approx(two.numpy(), abs=1e-5)


# The agent


@pytest.mark.parametrize("bf16", [False, True])
def test_a_row_is_acted_in_alike_whatever_the_batch(bf16: bool):
    agent = NeuralAgent("ppo:x", TOY, network(), bf16=bf16)
    states = TOY.new(75, players=3)
    own = words(np.random.default_rng(1), 75)
    together = agent.act(TOY, states, np.arange(75), own)
    for k in range(75):
        alone = agent.act(TOY, states, np.array([k]), own[k : k + 1])
        assert alone.action[0] == together.action[k]
        assert alone.logp is not None
        assert together.logp is not None
        assert alone.logp.tobytes() == together.logp[k : k + 1].tobytes()


def test_an_agent_chooses_alike_in_two_states_of_one_information_set():
    agent = NeuralAgent("ppo:x", TOY, network())
    states = TOY.new(50, players=3)
    rows, own = np.arange(50), words(np.random.default_rng(1), 50)
    TOY.step(states, 0, 1)
    twins = np.concatenate(
        [TOY.resample(states, k, int(states["seat"][k]), seed=k + 9) for k in range(50)]
    )
    assert (states["deck"] != twins["deck"]).any()
    here, there = agent.act(TOY, states, rows, own), agent.act(TOY, twins, rows, own)
    assert here.action.tolist() == there.action.tolist()


def test_an_agent_is_a_copy_until_it_is_updated():
    net = network()
    agent = NeuralAgent("ppo:x", TOY, net)
    obs = np.random.default_rng(0).random((4, TOY.observation.size)).astype(np.float32)
    before = agent.evaluate(obs)[0].copy()
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.add_(0.1)
    assert np.array_equal(agent.evaluate(obs)[0], before)
    agent.update(net)
    assert not np.array_equal(agent.evaluate(obs)[0], before)


# Files


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "weights.safetensors"
    save_weights(path, network(3), TOY)
    return path


def test_weights_come_back_as_they_were(saved: Path):
    for a, b in zip(load_weights(saved, TOY).parameters(), network(3).parameters(), strict=True):
        assert torch.equal(a, b)
    agent = make(f"ppo:{saved},greedy=true", TOY)
    assert isinstance(agent, NeuralAgent)
    assert agent.greedy


def test_a_run_is_found_by_its_name(saved: Path, monkeypatch: pytest.MonkeyPatch):
    checkpoint = saved.parent / "mine" / "checkpoints" / "000007"
    checkpoint.mkdir(parents=True)
    saved.rename(checkpoint / "weights.safetensors")
    (checkpoint.parent / "latest").write_text("000007\n")
    monkeypatch.setenv("DWARROW_RUNS", str(saved.parent))
    make("ppo:mine", TOY)
    make(f"ppo:{checkpoint}", TOY)
    with pytest.raises(ValueError, match="agent 'ppo:yours': no run or weights 'yours'"):
        make("ppo:yours", TOY)


def test_truncated_foreign_and_unfitting_files_are_refused(
    saved: Path, monkeypatch: pytest.MonkeyPatch
):
    whole = saved.read_bytes()
    for n in (0, 7, 100, len(whole) // 2, len(whole) - 1):
        saved.write_bytes(whole[:n])
        with pytest.raises(ValueError, match="not a whole weights file"):
            load_weights(saved, TOY)
    saved.write_bytes(b"PK\x03\x04" * 100)
    with pytest.raises(ValueError, match="not a whole weights file"):
        make(f"ppo:{saved}", TOY)
    from safetensors.torch import save_file

    save_file({"x": torch.zeros(3)}, saved)
    with pytest.raises(ValueError, match="no weights of dwarrow"):
        load_weights(saved, TOY)
    saved.write_bytes(whole)
    object.__setattr__(TOY, "version", "2")
    try:
        with pytest.raises(ValueError, match="made for rules version '1', Toy Goofspiel here has"):
            load_weights(saved, TOY)
    finally:
        object.__setattr__(TOY, "version", "1")


def test_frozen_copies_do_not_follow_training():
    net = network()
    copy = frozen_copy(net)
    with torch.no_grad():
        next(net.parameters()).zero_()
    assert next(copy.parameters()).abs().sum() > 0
    assert not any(p.requires_grad for p in copy.parameters())


def test_scripted_agents_need_no_torch():
    code = (
        "import sys; from toys.known import add_game; from dwarrow import agents, envs;"
        "agents.make('random', envs.game('goofspiel')); sys.exit('torch' in sys.modules)"
    )
    tests = str(Path(__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {tests!r});{code}"], check=False
    )
    assert done.returncode == 0
