"""What the scripts of bench/ make of what they read.   usage: bench_scripts_test.py SOURCE_DIR"""
import importlib.util
import pathlib
import sys
import unittest
import xml.etree.ElementTree

BENCH = pathlib.Path(sys.argv.pop(1)).resolve() / "bench"
sys.dont_write_bytecode = True


def script(name):
    spec = importlib.util.spec_from_file_location(name, BENCH / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LISTING = """
0000000000001000 <draftgauge::(anonymous namespace)::play<int, 3>(unsigned long)>:
    1000:	xor    %eax,%eax
    1002:	vpmuludq %zmm1,%zmm2,%zmm3
    1008:	vpaddd %zmm1,%zmm2,%zmm3
    100c:	kmovw  %k1,%eax
    1010:	jne    1002 <draftgauge::play+0x2>
    1012:	dec    %ecx
    1014:	jne    1000 <draftgauge::play>
    1016:	jmp    2000 <draftgauge::other>

0000000000002000 <draftgauge::other()>:
    2000:	ret
"""


SASS = """
		Function : _Z3runIN10draftgauge7kernels11RoundKernelILb1ELb0ELb0ELNS_4PathE0ELb1ELi5EEEEvT_
	.headerflags	@"EF_CUDA_SM90"
        /*0000*/                   MOV R1, c[0x0][0x28] ;           /* 0x0 */
                                                                    /* 0x0 */
        /*0010*/                   IMAD.WIDE.U32 R2, R2, -0x2daee0ad, RZ ;   /* 0x0 */
        /*0020*/                   LOP3.LUT R0, R3, R4, RZ, 0x3c, !PT ;   /* 0x0 */
        /*0030*/               @P1 BRA P2, 0x70 ;                   /* 0x0 */
        /*0040*/                   S2R R4, SR_LTMASK ;              /* 0x0 */
        /*0050*/                   STS.64 [R0], R52 ;               /* 0x0 */
        /*0060*/                   BRA 0x80 ;                       /* 0x0 */
        /*0070*/                   ATOMS.POPC.INC.32 RZ, [R0+URZ] ; /* 0x0 */
        /*0080*/                   ISETP.GE.U32.AND P0, PT, R3, UR4, PT ;   /* 0x0 */
        /*0090*/              @!P0 BRA 0x10 ;                       /* 0x0 */
        /*00a0*/                   EXIT ;                           /* 0x0 */
"""

LOOPS = """
		Function : _Z3runIN10draftgauge7kernels11RoundKernelILb0ELb0ELb1ELNS_4PathE2ELb0ELi0EEEEvT_
        /*0000*/                   MOV R1, c[0x0][0x28] ;           /* 0x0 */
        /*0010*/                   MOV R2, R3 ;                     /* 0x0 */
        /*0020*/                   IMAD.WIDE.U32 R2, R2, -0x2daee0ad, RZ ;   /* 0x0 */
        /*0030*/                   LDL R3, [R1] ;                   /* 0x0 */
        /*0040*/                   LD.E R3, [R4.64] ;               /* 0x0 */
        /*0050*/              @!P0 BRA 0x20 ;                       /* 0x0 */
        /*0060*/               @P1 BRA 0x80 ;                       /* 0x0 */
        /*0070*/                   CALL.REL.NOINC 0xb0 ;            /* 0x0 */
        /*0080*/                   ATOMS.POPC.INC.32 RZ, [R0+URZ] ; /* 0x0 */
        /*0090*/              @!P2 BRA 0x10 ;                       /* 0x0 */
        /*00a0*/                   EXIT ;                           /* 0x0 */
        /*00b0*/                   IMAD.WIDE.U32 R2, R2, -0x2daee0ad, RZ ;   /* 0x0 */
        /*00c0*/              @!P0 BRA 0xb0 ;                       /* 0x0 */
        /*00d0*/                   RET.REL.NODEC R20 0x0 ;          /* 0x0 */
"""


class GpuInstructions(unittest.TestCase):
    def test_the_loop_without_what_only_open_rounds_reach(self):
        module = script("gpu_instructions")
        (name, code), = module.functions(SASS).items()
        self.assertEqual(module.KERNEL.search(name).groups(), ("1", "0", "0", "0", "1", "5"))
        # 0x10 to 0x30, 0x70 to 0x90: six, of which one of logic and one comparison; one wide product, by Philox.
        counted = module.count(code, 5, 5, ["shared"])
        self.assertEqual(counted, module.Count(all=6, alu=2, multiplied=1, wide=1, philox=1))
        self.assertEqual(counted.cycles(), {"issue": 6, "integers": 4, "products": 5})

    def test_a_loop_over_positions_counts_as_often_as_there_are_blocks_of_philox(self):
        module = script("gpu_instructions")
        (name, code), = module.functions(LOOPS).items()
        self.assertEqual(module.KERNEL.search(name).groups(), ("0", "0", "1", "2", "0", "0"))
        # Four around the loop, without the call, and four in it, of which one is a spill and one knows no memory.
        for gamma, kind, times in ((5, [], 2), (5, ["wide"], 3), (3, [], 1), (4, [], 2), (1, ["wide"], 1), (5, ["matches"], 5),
                                   (3, ["wide", "matches"], 3)):
            counted = module.count(code, 0, gamma, kind)
            self.assertEqual((counted.all, counted.spills, counted.generic), (4 + 4 * times, times, times))


class Instructions(unittest.TestCase):
    def test_innermost_loops(self):
        module = script("instructions")
        (name, body), other = list(module.functions(LISTING))
        self.assertEqual(module.short_name(name), "play")
        self.assertEqual(module.innermost_loops(body), [(1, 4)])  # the outer one and the jump out of it are none
        self.assertEqual([module.kind_of(m, o) for _, m, o in body[1:5]],
                         ["multiplications", "other vector", "masks", "others"])
        self.assertEqual(module.innermost_loops(other[1]), [])


class Growth(unittest.TestCase):
    def test_figure(self):
        rows = [{"varied": varied, "value": value, "rate": 1e6 / value, "place": "L1", "limit": "decisions"}
                for varied in ("vocab", "gamma", "threads", "contexts") for value in (1, 10)]
        rows = [row for row in rows if row["varied"] != "threads" or row["value"] == 1]  # a machine of one core
        text = script("growth_svg").draw({"machine": {"processor": "A & B", "target": "avx2"}, "growth": rows})
        circles = [node for node in xml.etree.ElementTree.fromstring(text).iter() if node.tag.endswith("circle")]
        self.assertEqual(len(circles), len(rows) + 3)  # and the three of the legend


if __name__ == "__main__":
    unittest.main()
